//go:build !unix

package cputime

import "time"

// Known reports whether the operating system tells.
const Known = false

// Own is 0.
func Own() time.Duration { return 0 }

// Children is 0.
func Children() time.Duration { return 0 }
