//go:build !unix

package bench

import "os"

// openFiles returns how many descriptors a process may have.
func openFiles() int { return maxFiles }

// faults returns 0: it is not known here.
func faults(*os.ProcessState) int64 { return 0 }
