// Stale stops a timer in time, and looks whether anything is in its channel: with the channels
// of timers as they were until Go 1.22, and as they are since 1.23.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	for _, c := range []struct{ godebug, release string }{
		{"asynctimerchan=1", "until 1.22"},
		{"asynctimerchan=0", "since 1.23"},
	} {
		os.Setenv("GODEBUG", c.godebug)
		fmt.Printf("%s: %s\n", c.release, stopped())
	}
}

func stopped() string {
	t := time.NewTimer(time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	was := t.Stop()
	t.Reset(time.Hour)
	select {
	case <-t.C:
		return fmt.Sprintf("Stop says %v; reset to an hour; it fires at once", was)
	default:
		return fmt.Sprintf("Stop says %v; reset to an hour; nothing comes", was)
	}
}
