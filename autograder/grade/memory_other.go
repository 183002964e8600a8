//go:build !linux

package grade

import "os"

func limitMemory(*os.Process, uint64) {}
