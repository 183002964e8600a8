//course:omit
package ch17_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/solutions"
)

// change raises and lowers GOMAXPROCS, from two goroutines at once, while others compute,
// talk and sleep.
const change = `package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	sums, ended := make(chan int), make(chan bool)
	for i := range 8 {
		go func() {
			sum, talk := 0, make(chan int, i%2)
			go func() {
				for n := range 50 {
					talk <- n
					if n%16 == 0 {
						time.Sleep(20 * time.Microsecond)
					}
				}
				close(talk)
			}()
			for n := range talk {
				sum += n
				runtime.Gosched()
			}
			sums <- sum
		}()
	}
	for _, list := range [][]int{{4, 2, 300, 1, 3}, {2, 8, 1, 5}} {
		go func() {
			for _, n := range list {
				runtime.GOMAXPROCS(n)
				runtime.Gosched()
			}
			ended <- true
		}()
	}
	total := 0
	for range 8 {
		total += <-sums
	}
	<-ended
	<-ended
	runtime.GOMAXPROCS(2)
	fmt.Println("total", total, "of", runtime.GOMAXPROCS(0))
}`

// dead is stuck, but for the one that changes GOMAXPROCS, who then is, too.
const dead = `package main

import "runtime"

func main() {
	c := make(chan int)
	for range 3 {
		go func() { <-c }()
	}
	for n := range 5 {
		runtime.GOMAXPROCS(5 - n)
		runtime.Gosched()
	}
	<-c
}`

func play(t *testing.T, source string, opt gmp.Options, simulated bool) (gmp.Result, string) {
	v, err := solutions.Go("1.1")
	require.NoError(t, err)
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: source}})
	require.NoError(t, err)
	var out bytes.Buffer
	opt.Check = true
	opt.Machine = machine.Options{MemBytes: 16 << 20, Stdout: &out}
	s, err := gmp.New(v, prog, opt)
	require.NoError(t, err)
	var result gmp.Result
	if simulated {
		_, err = sim.Run(sim.Options{CPUs: opt.Procs, Seed: opt.Seed, Limit: sim.Second}, func() { result = s.Main() })
		require.NoError(t, err)
	} else {
		result = s.Main()
	}
	require.NoError(t, result.Err)
	return result, out.String()
}

func TestChange(t *testing.T) {
	for _, simulated := range []bool{true, false} {
		for seed := range uint64(12) {
			opt := gmp.Options{Procs: []int{1, 2, 4}[seed%3], Seed: seed, Slice: int64(seed%5) * 17}
			what := fmt.Sprintf("simulated: %v, seed %d", simulated, seed)
			_, out := play(t, change, opt, simulated)
			assert.Equal(t, "total 9800 of 2\n", out, what)
			result, _ := play(t, dead, opt, simulated)
			assert.Equal(t, "fatal error: all goroutines are asleep - deadlock!", result.Fatal, what)
		}
	}
}

// A tape stands in for the parts around World: nobody sleeps, and no thread is started.
type tape struct {
	gmp.Wakeups
	gmp.Threads
	s     *gmp.Sched
	calls []string
	seen  []*gmp.P // allp, as CheckRunqsNoP was given it
}

func newTape(t *testing.T) (*tape, *gmp.M) {
	v, err := solutions.Go("1.1")
	require.NoError(t, err)
	s := gmp.NewBare(v, nil)
	tp := &tape{Wakeups: s.Wakeups, Threads: s.Threads, s: s}
	s.Wakeups, s.Threads = tp, tp
	mp := new(gmp.M)
	s.Lock.Lock()
	s.Procresize(mp, 3)
	s.Lock.Unlock()
	s.Mnext.Set(5)
	return tp, mp
}

func (tp *tape) Stopm(mp *gmp.M) { tp.calls = append(tp.calls, "Stopm") }
func (tp *tape) Wakep(mp *gmp.M) { tp.calls = append(tp.calls, "Wakep") }
func (tp *tape) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	tp.calls = append(tp.calls, fmt.Sprintf("Startm(P%d, %v)", pp.ID, spinning))
}

func (tp *tape) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	tp.seen = allp
	return tp.Wakeups.CheckRunqsNoP(mp, allp)
}

// Each P is counted once, and the M that stops last wakes the one who waits.
func TestGcstopm(t *testing.T) {
	tp, m0 := newTape(t)
	s, m1 := tp.s, &gmp.M{ID: 1}
	assert.PanicsWithValue(t, gmp.Fatal{Msg: "gcstopm: not waiting for gc"}, func() { s.Gcstopm(m0) })
	s.Lock.Lock()
	pp, _ := s.Pidleget(1)
	s.Lock.Unlock()
	s.Acquirep(m1, pp)
	m1.Spinning.Set(true)
	s.Nmspinning.Store(1)
	s.Gcwaiting.Store(true)
	s.Stopwait.Set(2)
	s.Gcstopm(m1)
	assert.False(t, m1.Spinning.Get())
	assert.Zero(t, s.Nmspinning.Load(), "an M that sleeps looks for nothing")
	assert.Nil(t, m1.P.Get())
	assert.Equal(t, gmp.Pgcstop, pp.Status.Load())
	assert.EqualValues(t, 1, s.Stopwait.Get())
	assert.False(t, s.Stopnote.SleepTimeout(0), "another P has not stopped yet")
	s.Stopnote.Clear()
	s.Gcstopm(m0)
	assert.Zero(t, s.Stopwait.Get())
	assert.True(t, s.Stopnote.SleepTimeout(0), "the last one wakes the one who waits")
	assert.Equal(t, []string{"Stopm", "Stopm"}, tp.calls)
}

// Ps with work are started, and then somebody looks for what else there is.
func TestStartTheWorld(t *testing.T) {
	tp, m0 := newTape(t)
	s := tp.s
	s.StopTheWorldWithSema(m0, "test")
	assert.True(t, s.Gcwaiting.Load())
	assert.Zero(t, s.Npidle.Load())
	for _, pp := range s.Allp.Get() {
		assert.Equal(t, gmp.Pgcstop, pp.Status.Load())
	}
	gp := new(gmp.G)
	gp.Atomicstatus.Store(gmp.Grunnable)
	s.Runqput(s.Allp.Get()[2], gp, false)
	s.Newprocs.Set(4)
	s.StartTheWorldWithSema(m0, 1)
	assert.Equal(t, []string{"Startm(P2, false)", "Wakep"}, tp.calls)
	assert.False(t, s.Gcwaiting.Load())
	assert.Zero(t, s.Newprocs.Get())
	assert.EqualValues(t, 4, s.Gomaxprocs.Get())
	assert.EqualValues(t, 2, s.Npidle.Load(), "P1 and P3; P2 is with Startm")
	assert.Same(t, s.Allp.Get()[0], m0.P.Get())
}

// An M that has given its P back looks at the Ps as they were then: the world may stop
// without it, and there are others afterwards.
func TestFinderKeepsAllp(t *testing.T) {
	tp, m0 := newTape(t)
	s := tp.s
	before := s.Allp.Get()
	s.Procs = &changer{s.Procs, s}
	s.Lastpoll.Store(1)
	m0.Spinning.Set(true)
	s.Nmspinning.Store(1)
	assert.Panics(t, func() { s.FindRunnable(m0) }, "Stopm brings no P here")
	require.Len(t, tp.seen, len(before))
	assert.Same(t, &before[0], &tp.seen[0])
}

// A changer changes s.Allp as soon as that is allowed.
type changer struct {
	gmp.Procs
	s *gmp.Sched
}

func (p *changer) Pidleput(pp *gmp.P, now int64) int64 {
	now = p.Procs.Pidleput(pp, now)
	p.s.Allp.Set([]*gmp.P{pp})
	return now
}

// TestStartWakesTheMonitor proves that the monitor, which sleeps while the world is stopped,
// is woken with it.
func TestStartWakesTheMonitor(t *testing.T) {
	for _, sleeps := range []bool{true, false} {
		tp, m0 := newTape(t)
		s := tp.s
		s.StopTheWorldWithSema(m0, "test")
		s.Sysmonwait.Store(sleeps)
		s.StartTheWorldWithSema(m0, 1)
		assert.False(t, s.Sysmonwait.Load())
		assert.Equal(t, sleeps, s.Sysmonnote.SleepTimeout(0))
	}
}
