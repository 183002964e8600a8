package machine

import "time"

var started = time.Now()

// Epoch is the wall clock, in seconds since 1970, of virtual time at its time 0:
// the moment when Go became public.
const Epoch = 1257894000

// Nanotime returns monotonic time in nanoseconds. Only differences mean
// something. The runtime's nanotime.
func Nanotime() int64 {
	if watched && hook != nil {
		return hook.Nanotime()
	}
	return int64(time.Since(started))
}

// PeekNanotime is Nanotime without the moment that it takes on a simulated CPU: for whoever
// writes a report. A part never calls it.
func PeekNanotime() int64 {
	if watched && hook != nil {
		if h, ok := hook.(interface{ PeekNanotime() int64 }); ok {
			return h.PeekNanotime()
		}
	}
	return Nanotime()
}

// Walltime returns seconds since 1970 and the nanoseconds of the last one. The
// runtime's walltime.
func Walltime() (sec int64, nsec int32) {
	if watched && hook != nil {
		ns := hook.Nanotime()
		return Epoch + ns/1e9, int32(ns % 1e9)
	}
	now := time.Now()
	return now.Unix(), int32(now.Nanosecond())
}

// Usleep lets the thread sleep for us microseconds, about. The runtime's usleep.
func Usleep(us uint32) {
	if watched && hook != nil {
		hook.Usleep(us)
		return
	}
	usleep(us)
}

// pause is about how many turns of a loop a PAUSE instruction takes, with which the
// runtime's procyield counts.
const pause = 40

// Procyield passes about the time of so many PAUSE instructions without giving the
// CPU away: the pause between two looks of a spinning thread. The runtime's procyield.
func Procyield(cycles uint32) {
	if watched && hook != nil {
		hook.Procyield(cycles)
		return
	}
	for range pause * cycles {
	}
}

// Osyield lets other threads of the host run. Whoever waits for one of them in a loop calls it
// in each round. The runtime's osyield.
func Osyield() {
	if watched && hook != nil {
		hook.Osyield()
		return
	}
	yieldAll()
}
