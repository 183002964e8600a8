//go:build !linux

package machine

import (
	"runtime"
	"time"
)

func osyield() { runtime.Gosched() }

func yieldAll() { runtime.Gosched() }

func usleep(us uint32) { time.Sleep(time.Duration(us) * time.Microsecond) }
