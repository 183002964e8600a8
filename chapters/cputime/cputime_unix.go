//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Known reports whether the operating system tells.
const Known = true

// Own is how long CPUs have worked for this process.
func Own() time.Duration { return of(syscall.RUSAGE_SELF) }

// Children is how long they have worked for those of its children that have ended and
// were waited for, with theirs.
func Children() time.Duration { return of(syscall.RUSAGE_CHILDREN) }

func of(who int) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(who, &usage); err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
