package solutions_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// playSource runs source on Go 0.x with the parts of own in place of the solution's.
func playSource(t *testing.T, source string, own gmp.Version, opt gmp.Options) (res gmp.Result, stdout, stderr string) {
	t.Helper()
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: source}})
	require.NoError(t, err)
	var out, errs bytes.Buffer
	opt.Machine.Stdout, opt.Machine.Stderr = &out, &errs
	s, err := gmp.New(goVersion(t, "0.x").With(own), prog, opt)
	require.NoError(t, err)
	return s.Main(), out.String(), errs.String()
}

const hello = `package main

import "fmt"

func main() {
	go fmt.Println("never")
	fmt.Println("hello")
}
`

func TestMainEndsTheProgram(t *testing.T) {
	res, out, errs := playSource(t, hello, gmp.Version{}, gmp.Options{Check: true})
	assert.NoError(t, res.Err)
	assert.Equal(t, 0, res.Status)
	assert.Equal(t, "hello\n", out)
	assert.Empty(t, errs)
	assert.Positive(t, res.Instructions)
}

const chatter = `package main

import (
	"fmt"
	"runtime"
)

func say(who string) {
	for i := 0; i < 3; i++ {
		fmt.Println(who, i)
		runtime.Gosched()
	}
}

func main() {
	go say("a")
	go say("b")
	say("main")
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
}
`

// TestSliceGoesOn: a G that calls the runtime again and again is interrupted all
// the same, wherever its slice ends.
func TestSliceGoesOn(t *testing.T) {
	const source = `package main

import "runtime"

func main() {
	done := false
	go func() { done = true }()
	for !done {
		runtime.NumGoroutine()
	}
}
`
	for slice := range int64(30) {
		res, _, _ := playSource(t, source, gmp.Version{}, gmp.Options{Slice: 1 + slice, Budget: 100_000})
		assert.NoError(t, res.Err, "slices of %d instructions", 1+slice)
	}
	res, _, _ := playSource(t, source, gmp.Version{}, gmp.Options{Budget: 100_000})
	assert.ErrorIs(t, res.Err, gmp.ErrBudget, "nobody interrupts it")
}

func TestYieldGoesRound(t *testing.T) {
	res, out, _ := playSource(t, chatter, gmp.Version{}, gmp.Options{Check: true})
	assert.NoError(t, res.Err)
	assert.Equal(t, "main 0\na 0\nb 0\nmain 1\na 1\nb 1\nmain 2\na 2\nb 2\n", out)
}

func TestTheSameRunGivesTheSameTrace(t *testing.T) {
	log := func() string {
		res, _, _ := playSource(t, chatter, gmp.Version{}, gmp.Options{Trace: true})
		var b bytes.Buffer
		_, err := res.Log.WriteTo(&b)
		require.NoError(t, err)
		return b.String()
	}
	assert.Equal(t, log(), log())
}

// With a slice of k instructions the program is interrupted everywhere sooner
// or later, and every G still gets to its end.
func TestInterruptedAfterEveryInstruction(t *testing.T) {
	const source = `package main

import "runtime"

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

var sum int

func main() {
	for i := 0; i < 5; i++ {
		go func() { sum += fib(10 + i) }()
	}
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	println(sum)
}
`
	for k := int64(1); k <= 60; k++ {
		res, _, errs := playSource(t, source, gmp.Version{}, gmp.Options{Slice: k, Check: true, Budget: 10_000_000})
		require.NoError(t, res.Err, "slice %d", k)
		require.Equal(t, "898\n", errs, "slice %d", k)
	}
}

func TestListingNamesFunctionsAndLines(t *testing.T) {
	const source = `package main

func third(p *int) int {
	return *p
}

func second() int { return third(nil) }

func main() {
	println(second())
}
`
	res, _, errs := playSource(t, source, gmp.Version{}, gmp.Options{})
	assert.Equal(t, 2, res.Status)
	assert.NoError(t, res.Err)
	assert.Equal(t, "panic: runtime error: invalid memory address or nil pointer dereference", res.Fatal)
	assert.Regexp(t, `^panic: runtime error: invalid memory address or nil pointer dereference
\[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x[0-9a-f]+\]

goroutine 1 \[running\]:
main\.third\(\.\.\.\)
	prog\.go:4
main\.second\(\.\.\.\)
	prog\.go:7
main\.main\(\.\.\.\)
	prog\.go:10
`, errs)
}

// A function whose code stands in place of its call is listed like any other.
func TestInlinedIsListed(t *testing.T) {
	const source = `package main

import (
	"runtime"
	"sync"
)

type account struct{ sync.Mutex }

func main() {
	a := &account{}
	var l sync.Locker = a
	go a.Lock()
	runtime.Gosched()
	again(a, l)
}

func again(a *account, l sync.Locker) {
	go func() {
		a.Lock()
	}()
	l.Lock()
}
`
	_, _, errs := playSource(t, source, gmp.Version{}, gmp.Options{})
	assert.Regexp(t, `goroutine 1 \[sync\.Mutex\.Lock\]:
sync\.\(\*Mutex\)\.wait\(\.\.\.\)
	sync/mutex\.go:\d+
sync\.\(\*Mutex\)\.Lock\(\.\.\.\)
	sync/mutex\.go:\d+
main\.again\(\.\.\.\)
	prog\.go:22
main\.main\(\.\.\.\)
	prog\.go:15

goroutine 3 \[sync\.Mutex\.Lock\]:
sync\.\(\*Mutex\)\.wait\(\.\.\.\)
	sync/mutex\.go:\d+
sync\.\(\*Mutex\)\.Lock\(\.\.\.\)
	sync/mutex\.go:\d+
main\.again\.func1\(\.\.\.\)
	prog\.go:20
created by main.again in goroutine 1
	prog\.go:19
$`, errs)
}

func TestAPanicIsListedAsGoDoes(t *testing.T) {
	const source = `package main

type T struct{}

func (T) fail(why string) { panic(why) }

func start() {
	go T{}.fail("no")
}

func main() {
	start()
	for {
	}
}
`
	_, _, errs := playSource(t, source, gmp.Version{}, gmp.Options{Slice: 100})
	assert.Equal(t, `panic: no

goroutine 2 [running]:
main.T.fail(...)
	prog.go:5
created by main.start in goroutine 1
	prog.go:8
`, errs)
}

// The words alone do not make a fault.
func TestNoSignalWithoutAFault(t *testing.T) {
	const source = "package main\n\nfunc main() { panic(\"runtime error: invalid memory address\") }\n"
	_, _, errs := playSource(t, source, gmp.Version{}, gmp.Options{})
	assert.Contains(t, errs, "panic: runtime error: invalid memory address\n")
	assert.NotContains(t, errs, "SIGSEGV")
}

func TestDeadlockAfterGoexitOfMain(t *testing.T) {
	res, _, errs := playSource(t, "package main\n\nimport \"runtime\"\n\nfunc main() { runtime.Goexit() }\n", gmp.Version{}, gmp.Options{})
	assert.Equal(t, 2, res.Status)
	assert.Equal(t, "fatal error: no goroutines (main called runtime.Goexit) - deadlock!", res.Fatal)
	assert.Contains(t, errs, res.Fatal)
}

func TestStackGrowsToItsLimit(t *testing.T) {
	const source = `package main

func down(n int) int {
	var pad [10]int
	pad[n%10] = n
	if n == 0 {
		return pad[0]
	}
	return down(n-1) + pad[n%10]
}

func main() { println(down(DEPTH)) }
`
	with := func(depth string) string {
		return string(bytes.ReplaceAll([]byte(source), []byte("DEPTH"), []byte(depth)))
	}
	res, _, errs := playSource(t, with("1000"), gmp.Version{}, gmp.Options{Trace: true})
	assert.NoError(t, res.Err)
	assert.Equal(t, "500500\n", errs)
	grown := 0
	for _, ev := range res.Log.Events {
		if ev.Kind == trace.Stack {
			grown++
		}
	}
	assert.Greater(t, grown, 3, "the stack doubles several times")

	res, _, errs = playSource(t, with("1<<40"), gmp.Version{}, gmp.Options{StackLimit: 1 << 20})
	assert.Equal(t, 2, res.Status)
	assert.Equal(t, "fatal error: stack overflow", res.Fatal)
	assert.Contains(t, errs, "runtime: goroutine stack exceeds 1048576-byte limit\n")
	assert.Contains(t, errs, "frames elided...")
}

func TestBudgetEndsALoop(t *testing.T) {
	res, _, _ := playSource(t, "package main\n\nfunc main() {\n\tfor {\n\t}\n}\n", gmp.Version{}, gmp.Options{Budget: 1000})
	assert.ErrorIs(t, res.Err, gmp.ErrBudget)
	assert.EqualValues(t, 1000, res.Instructions)
}

// loop is a Loop whose Schedule is replaced.
type loop struct {
	gmp.Loop
	schedule func(mp *gmp.M)
}

func (l loop) Schedule(mp *gmp.M) { l.schedule(mp) }

func withSchedule(schedule func(s *gmp.Sched, mp *gmp.M)) gmp.Version {
	return gmp.Version{Loop: func(s *gmp.Sched) gmp.Loop {
		return loop{schedule: func(mp *gmp.M) { schedule(s, mp) }}
	}}
}

func TestAFailingPartEndsTheRun(t *testing.T) {
	t.Run("it is not written", func(t *testing.T) {
		res, _, _ := playSource(t, hello, withSchedule(func(*gmp.Sched, *gmp.M) { panic(gmp.TODO("Schedule")) }), gmp.Options{})
		assert.Equal(t, gmp.Todo{Method: "Schedule"}, res.Err)
	})
	t.Run("it panics", func(t *testing.T) {
		res, _, _ := playSource(t, hello, withSchedule(func(s *gmp.Sched, mp *gmp.M) { mp.Curg.Get().Goid.Set(mp.Curg.Get().Goid.Get() + 1) }), gmp.Options{})
		var p *gmp.PartPanic
		require.ErrorAs(t, res.Err, &p)
		assert.ErrorContains(t, p, "nil pointer dereference")
		assert.NotEmpty(t, p.Stack)
		assert.Contains(t, p.Stack[0], "solutions/router_test.go", "the innermost frame is the part's")
	})
	t.Run("it returns without a G", func(t *testing.T) {
		res, _, _ := playSource(t, hello, withSchedule(func(*gmp.Sched, *gmp.M) {}), gmp.Options{})
		assert.ErrorIs(t, res.Err, gmp.ErrNoG)
	})
	t.Run("it needs a part that 0.x does not have", func(t *testing.T) {
		res, _, _ := playSource(t, hello, withSchedule(func(s *gmp.Sched, mp *gmp.M) { s.FindRunnable(mp) }), gmp.Options{})
		assert.EqualError(t, res.Err, "Go 0.x has no Finder.FindRunnable")
	})
	t.Run("it throws", func(t *testing.T) {
		res, _, errs := playSource(t, hello, withSchedule(func(s *gmp.Sched, mp *gmp.M) { s.Throw("schedule: no") }), gmp.Options{})
		assert.NoError(t, res.Err)
		assert.Equal(t, "fatal error: schedule: no", res.Fatal)
		assert.Contains(t, errs, "fatal error: schedule: no\n")
	})
}

// queue is a GlobalQueue with one method replaced.
type queue struct {
	gmp.GlobalQueue
	put func(q gmp.GlobalQueue, gp *gmp.G)
}

func (q queue) Globrunqput(gp *gmp.G) { q.put(q.GlobalQueue, gp) }

func withPut(put func(q gmp.GlobalQueue, gp *gmp.G)) gmp.Version {
	base := solutions.Base("ch02")
	return gmp.Version{GlobalQueue: func(s *gmp.Sched) gmp.GlobalQueue { return queue{base.GlobalQueue(s), put} }}
}

func TestTheWatcherSeesALostG(t *testing.T) {
	n := 0
	lose := withPut(func(q gmp.GlobalQueue, gp *gmp.G) {
		if n++; n != 3 {
			q.Globrunqput(gp)
		}
	})
	res, _, _ := playSource(t, chatter, lose, gmp.Options{Check: true, Budget: 1_000_000})
	var b gmp.Breach
	require.ErrorAs(t, res.Err, &b)
	assert.ErrorContains(t, b, "G3 was put on the global queue; ")

	double := withPut(func(q gmp.GlobalQueue, gp *gmp.G) { q.Globrunqput(gp); q.Globrunqput(gp) })
	res, _, _ = playSource(t, chatter, double, gmp.Options{Check: true, Budget: 1_000_000})
	assert.Error(t, res.Err, "a G that is queued twice is noticed")
}
