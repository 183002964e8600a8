//go:build gosched

package time

func sleep(ns int64)

// resetTimer sets t to fire at when, and then each period, and stopTimer lets it
// fire no more. Both report whether it was set, or a time that it has sent is
// still there; that is taken away.
func resetTimer(t *runtimeTimer, when, period int64) bool
func stopTimer(t *runtimeTimer) bool

// Sleep pauses the goroutine for at least d.
func Sleep(d Duration) { sleep(int64(d)) }

// A runtimeTimer is what the scheduler and this package know of a timer. The
// scheduler knows its layout; see gmp/time.go.
type runtimeTimer struct {
	number int       // the scheduler's
	c      chan Time // where it sends the time, or nil
	f      func()    // what it runs in a goroutine of its own, or nil
	sent   Time      // the scheduler's
}

// newChan gives t a channel, and returns that.
func (t *runtimeTimer) newChan() <-chan Time {
	t.c = make(chan Time, 1)
	return t.c
}

// ready reports whether t was made by one of the functions of this package.
func (t *runtimeTimer) ready() bool { return t.c != nil || t.f != nil }

// when returns the instant d from now; now, if d is negative, and the end of time
// if that comes first.
func when(d Duration) int64 {
	now := nanotime()
	if at := now + max(int64(d), 0); at >= now {
		return at
	}
	return 1<<63 - 1
}

// A Timer is one event: it sends the time on C, or calls a function.
type Timer struct {
	C <-chan Time
	r runtimeTimer
}

// NewTimer returns a Timer that sends the time after d.
func NewTimer(d Duration) *Timer {
	t := &Timer{}
	t.C = t.r.newChan()
	resetTimer(&t.r, when(d), 0)
	return t
}

// AfterFunc calls f after d, in a goroutine of its own.
func AfterFunc(d Duration, f func()) *Timer {
	t := &Timer{r: runtimeTimer{f: f}}
	resetTimer(&t.r, when(d), 0)
	return t
}

// After returns the channel of a Timer.
func After(d Duration) <-chan Time { return NewTimer(d).C }

// Stop lets t not fire. It reports false if t has fired, or was stopped, before.
// Nothing can be received from t.C after it.
func (t *Timer) Stop() bool {
	if !t.r.ready() {
		panic("time: Stop called on uninitialized Timer")
	}
	return stopTimer(&t.r)
}

// Reset sets t anew, to fire after d, and reports what Stop would.
func (t *Timer) Reset(d Duration) bool {
	if !t.r.ready() {
		panic("time: Reset called on uninitialized Timer")
	}
	return resetTimer(&t.r, when(d), 0)
}

// A Ticker sends the time on C again and again. A tick is dropped if the one
// before was not received.
type Ticker struct {
	C <-chan Time
	r runtimeTimer
}

// NewTicker returns a Ticker that sends the time each d.
func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	t := &Ticker{}
	t.C = t.r.newChan()
	resetTimer(&t.r, when(d), int64(d))
	return t
}

// Tick returns the channel of a Ticker, nil if d is not positive.
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

// Stop lets t tick no more.
func (t *Ticker) Stop() {
	if t.r.ready() {
		stopTimer(&t.r)
	}
}

// Reset lets t tick each d from now on.
func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if !t.r.ready() {
		panic("time: Reset called on uninitialized Ticker")
	}
	resetTimer(&t.r, when(d), int64(d))
}
