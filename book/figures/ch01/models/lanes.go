package models

import (
	"fmt"
	"strings"
	"time"

	"gosched/chapters/trace"
)

// Lanes draws a run as text, a lane for each worker and a column for each unit
// of time: the letter of the task that computes (A is the first), the small
// letter of one that blocks the worker, a dot for none. A column shows what
// happens in its middle.
func Lanes(r Run, column time.Duration) string {
	width := int((r.Makespan + column - 1) / column)
	var b strings.Builder
	for m := range r.Log.Header.Ms {
		fmt.Fprintf(&b, "%d ", m)
		for i := range width {
			b.WriteByte(at(r.Log, int32(m), time.Duration(i)*column+column/2))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// at is the sign for what worker m does at time t.
func at(log *trace.Log, m int32, t time.Duration) byte {
	sign := byte('.')
	for _, e := range log.Events {
		if e.T > int64(t) {
			break
		}
		if e.M != m {
			continue
		}
		letter := byte((e.G - 1) % 26)
		switch e.Kind {
		case trace.Run, trace.Sysexit:
			sign = 'A' + letter
		case trace.Syscall:
			sign = 'a' + letter
		case trace.Park, trace.Exit:
			sign = '.'
		}
	}
	return sign
}
