//go:build !linux

package cputime

import "time"

// waiting is not known here.
func waiting() (time.Duration, bool) { return 0, false }
