//go:build gosched

// Package time is the clock, and waiting for it.
package time

func nanotime() int64
func walltime() (sec, nsec int64)

// A Duration is a time span in nanoseconds.
type Duration int64

const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

func (d Duration) Nanoseconds() int64  { return int64(d) }
func (d Duration) Microseconds() int64 { return int64(d / Microsecond) }
func (d Duration) Milliseconds() int64 { return int64(d / Millisecond) }
func (d Duration) Seconds() float64    { return float64(d/Second) + float64(d%Second)/1e9 }
func (d Duration) Minutes() float64    { return float64(d/Minute) + float64(d%Minute)/60e9 }
func (d Duration) Hours() float64      { return float64(d/Hour) + float64(d%Hour)/3600e9 }

// Abs returns d without its sign; the smallest Duration becomes the largest.
func (d Duration) Abs() Duration {
	switch {
	case d >= 0:
		return d
	case d == -1<<63:
		return 1<<63 - 1
	}
	return -d
}

// Truncate returns d rounded towards zero to a multiple of m.
func (d Duration) Truncate(m Duration) Duration {
	if m <= 0 {
		return d
	}
	return d - d%m
}

// Round returns d rounded to the nearest multiple of m, halves away from zero. What
// does not fit becomes the largest or smallest Duration.
func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	rest := d % m
	low := d - rest // the multiple on the side of zero
	switch {
	case rest > 0 && rest >= m-rest: // 2*rest might not fit
		if low > 1<<63-1-m {
			return 1<<63 - 1
		}
		return low + m
	case rest < 0 && -rest >= m+rest:
		if low < -1<<63+m {
			return -1 << 63
		}
		return low - m
	}
	return low
}

// String returns d as 1h2m3.5s, or below a second in the unit that fits.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	n, sign := uint64(d), ""
	if d < 0 {
		n, sign = -n, "-"
	}
	switch {
	case n < uint64(Microsecond):
		return sign + decimal(n) + "ns"
	case n < uint64(Millisecond):
		return sign + fraction(n, uint64(Microsecond)) + "µs"
	case n < uint64(Second):
		return sign + fraction(n, uint64(Millisecond)) + "ms"
	}
	text := fraction(n%uint64(Minute), uint64(Second)) + "s"
	if n >= uint64(Minute) {
		text = decimal(n/uint64(Minute)%60) + "m" + text
	}
	if n >= uint64(Hour) {
		text = decimal(n/uint64(Hour)) + "h" + text
	}
	return sign + text
}

func decimal(n uint64) string {
	var digits [20]byte
	at := len(digits)
	for {
		at--
		digits[at] = '0' + byte(n%10)
		if n /= 10; n == 0 {
			return string(digits[at:])
		}
	}
}

// fraction returns n/unit, where unit is a power of ten.
func fraction(n, unit uint64) string {
	text := decimal(n / unit)
	rest := n % unit
	if rest == 0 {
		return text
	}
	tail := decimal(unit + rest)[1:]
	for tail[len(tail)-1] == '0' {
		tail = tail[:len(tail)-1]
	}
	return text + "." + tail
}

// A Time is an instant.
type Time struct {
	sec, nsec int64 // since 1970
	mono      int64 // the clock that never jumps, for differences
}

// Now returns the current time.
func Now() Time {
	sec, nsec := walltime()
	return Time{sec, nsec, nanotime()}
}

// IsZero reports whether t is the zero Time, which is no instant.
func (t Time) IsZero() bool { return t == Time{} }

func (t Time) Unix() int64      { return t.sec }
func (t Time) UnixNano() int64  { return t.sec*int64(Second) + t.nsec }
func (t Time) UnixMilli() int64 { return t.sec*1000 + t.nsec/int64(Millisecond) }

// Sub returns how much later t is than u.
func (t Time) Sub(u Time) Duration { return Duration(t.mono - u.mono) }

func (t Time) After(u Time) bool  { return t.mono > u.mono }
func (t Time) Before(u Time) bool { return t.mono < u.mono }

// Add returns the time d later.
func (t Time) Add(d Duration) Time {
	n := t.nsec + int64(d)
	sec := n / int64(Second)
	if n %= int64(Second); n < 0 {
		n += int64(Second)
		sec--
	}
	return Time{t.sec + sec, n, t.mono + int64(d)}
}

// Since returns the time that has passed since t.
func Since(t Time) Duration { return Now().Sub(t) }

// Until returns the time until t.
func Until(t Time) Duration { return t.Sub(Now()) }
