package sim

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Time is a point in virtual time, or a stretch of it, in picoseconds: an
// instruction on a fast CPU takes less than a nanosecond.
type Time int64

const (
	Picosecond  Time = 1
	Nanosecond       = 1000 * Picosecond
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// Duration returns t in the unit of package time, rounded down to nanoseconds.
func (t Time) Duration() time.Duration { return time.Duration(t / Nanosecond) }

func (t Time) String() string {
	if t%Nanosecond != 0 && -Microsecond < t && t < Microsecond {
		return fmt.Sprintf("%gns", float64(t)/float64(Nanosecond))
	}
	return t.Duration().String()
}

// Costs is the model of the computer: what things cost. Each is greater than 0.
//
// The figures of a real computer differ by a factor of two and more. What a
// simulation is to show, that one scheduler beats another, must hold for all of
// them: see Scaled.
type Costs struct {
	Instruction Time // of the program that runs on the machine

	Load Time // reading a variable whose line the CPU has
	RMW  Time // an atomic operation that writes, on a line that is the CPU's alone
	// Miss is getting a line that the CPU does not have, or not alone. A line that
	// several CPUs want to write goes to one after the other.
	Miss Time

	Pause   Time // one cycle of Procyield
	Osyield Time // the system call of that name
	Clock   Time // a look at the clock

	FutexSleep  Time // for the sleeper: the system call that puts it to sleep
	FutexWake   Time // for the waker: the system call that wakes a thread
	WakeLatency Time // from the call that wakes a thread until it runs
	Tgkill      Time // for the sender of a signal

	ContextSwitch Time // of a CPU from one thread to another that waited for it
	ThreadCreate  Time // for the creator of a thread

	Trap    Time // from the program into the scheduler
	Gogo    Time // and back
	Newproc Time // more, for a trap that makes a G: the parts' work on plain fields

	Syscall Time // entering the kernel for a system call, and leaving it
	Disk    Time // a read of a regular file: its thread sleeps until the disk has done it
	Network Time // from the call that sends something until it arrives; in it no CPU is busy

	// Slice is how long a thread keeps its CPU while another waits. One that wakes
	// waits only until some thread has run for WakeSlice.
	Slice     Time
	WakeSlice Time
}

// BareMetal estimates a server of today, without a hypervisor.
func BareMetal() Costs {
	return Costs{
		Instruction:   1 * Nanosecond,
		Load:          1 * Nanosecond,
		RMW:           8 * Nanosecond,
		Miss:          60 * Nanosecond,
		Pause:         10 * Nanosecond,
		Osyield:       500 * Nanosecond,
		Clock:         20 * Nanosecond,
		FutexSleep:    1 * Microsecond,
		FutexWake:     1500 * Nanosecond,
		WakeLatency:   5 * Microsecond,
		Tgkill:        1500 * Nanosecond,
		ContextSwitch: 1500 * Nanosecond,
		ThreadCreate:  20 * Microsecond,
		Trap:          20 * Nanosecond,
		Gogo:          30 * Nanosecond,
		Newproc:       80 * Nanosecond,
		Syscall:       100 * Nanosecond,
		Disk:          100 * Microsecond,
		Network:       20 * Microsecond,
		Slice:         3 * Millisecond,
		WakeSlice:     1 * Millisecond,
	}
}

// Guest is the same server as the guest of a hypervisor (KVM), where a CPU that
// has nothing to do takes long to wake up: 21 to 25 µs were measured.
func Guest() Costs {
	c := BareMetal()
	c.WakeLatency = 23 * Microsecond
	return c
}

// Settings returns the names of the settings, in the order of the fields.
func Settings() []string {
	t := reflect.TypeFor[Costs]()
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Name
	}
	return names
}

// SchedulerSettings returns those of Settings that a program uses which makes no system
// calls.
func SchedulerSettings() []string {
	return slices.DeleteFunc(Settings(), func(name string) bool { return name == "Syscall" || name == "Disk" || name == "Network" })
}

// Scaled returns c with one setting multiplied by a factor. The error says that
// there is no setting of this name.
func (c Costs) Scaled(setting string, factor float64) (Costs, error) {
	field := reflect.ValueOf(&c).Elem().FieldByName(setting)
	if !field.IsValid() {
		return c, fmt.Errorf("there is no setting %q; there are %q", setting, Settings())
	}
	field.SetInt(int64(float64(field.Int()) * factor))
	return c, nil
}

// check says which setting is not greater than 0. A step that costs nothing could
// be repeated for ever, and time would stand still.
func (c Costs) check() error {
	v := reflect.ValueOf(c)
	for i, name := range Settings() {
		if t := Time(v.Field(i).Int()); t <= 0 {
			return fmt.Errorf("the setting %s is %v, and must be greater than 0", name, t)
		}
	}
	return nil
}
