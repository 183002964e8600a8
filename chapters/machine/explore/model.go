package explore

import (
	"fmt"
	"reflect"

	"gosched/chapters/check/assertion"
	"gosched/chapters/machine"
)

// A Model is one small concurrent program. The function given to Explore makes
// it anew for each execution: it builds the state that the threads share,
// names the threads and says what must hold at the end. Everything that it
// uses must be made in it; what it keeps from one execution to the next is
// nondeterminism, which is reported.
//
// A Model is a TestingT of testify's assert and require, so that these can be
// used in threads and in checks alike.
type Model struct {
	x      *explorer
	checks []func()
	show   func(v any) string
	ledger []entry

	showAddr func(addr machine.Addr) string

	failed []string // by Errorf
}

// failNow ends an execution from within.
type failNow struct{}

// Thread adds a thread that runs fn. It must come to its end: one that waits
// for ever is a deadlock or a lost wake-up. Only the function that makes the
// model may call it; a thread that is to come later is started with
// machine.Newosproc.
func (m *Model) Thread(name string, fn func()) { m.thread(name, fn, false) }

// Daemon adds a thread that may be left asleep on a note, or in a loop that
// yields, when all others have ended, as an idle M is. The threads that
// machine.Newosproc starts are daemons.
func (m *Model) Daemon(name string, fn func()) { m.thread(name, fn, true) }

func (m *Model) thread(name string, fn func(), daemon bool) {
	if m.x.phase != making {
		panic("explore: Thread and Daemon are for the function that makes the model; a thread starts others with machine.Newosproc")
	}
	m.x.addThread(name, fn, daemon)
}

// Check adds a function that is called when no thread can go on any more and
// none waits for ever. It runs alone, so it can use everything; what it finds
// it reports with the model's Errorf.
func (m *Model) Check(fn func()) { m.checks = append(m.checks, fn) }

// Choose returns a number from 0 to n-1. Each of them is explored. It stands for
// what is random in the real thing, such as where a thief begins.
func (m *Model) Choose(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("explore: Choose(%d): there must be something to choose from", n))
	}
	return m.x.choose(n)
}

// Show sets how values are written in a report. The function returns "" for
// what it does not know.
func (m *Model) Show(show func(v any) string) { m.show = show }

// Logf adds a line to the report, at this point of the thread that calls it.
func (m *Model) Logf(format string, args ...any) {
	if m.x.record != nil {
		m.x.record.note(m.x.cur, m.sprintf(format, args))
	}
}

// Errorf says that something is wrong. The execution ends at the next step.
func (m *Model) Errorf(format string, args ...any) {
	m.failed = append(m.failed, assertion.Tidy(m.sprintf(format, args)))
}

// FailNow ends the execution, after an Errorf.
func (m *Model) FailNow() { panic(failNow{}) }

// Helper does nothing: failures in a model are reported with the schedule.
func (m *Model) Helper() {}

// Aside runs fn, which looks at the model for the sake of a report: whatever it
// reads is not part of what the calling thread does. It must not change
// anything. What the model itself calls to write a report, such as the function of
// Show or the String method of an argument, is run in this way.
func (m *Model) Aside(fn func()) {
	x := m.x
	cur, aside := x.cur, x.aside
	x.cur, x.aside = nil, true
	defer func() { x.cur, x.aside = cur, aside }()
	fn()
}

func (m *Model) sprintf(format string, args []any) (text string) {
	m.Aside(func() { text = fmt.Sprintf(format, args...) })
	return text
}

// name is how v stands in a report.
func (m *Model) name(v any) (name string) {
	m.Aside(func() { name = m.nameOf(v) })
	return name
}

func (m *Model) nameOf(v any) string {
	if p := reflect.ValueOf(v); v == nil || p.Kind() == reflect.Pointer && p.IsNil() {
		return "nil"
	}
	if m.show != nil {
		if s := m.show(v); s != "" {
			return s
		}
	}
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return m.x.number(v)
}
