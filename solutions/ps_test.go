package solutions_test

import (
	"bytes"
	"os"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
	"gosched/solutions/ch07_runq"
	"gosched/timeline"
)

// What is tested here are all parts of Go 1.1 together, on simulated CPUs: there the
// same seed gives the same run.

// simulate runs a program on as many simulated CPUs as there are Ps; traced, also under
// the eyes of the watcher.
func simulate(t *testing.T, v gmp.Version, src string, cpus int, seed uint64, traced bool) (gmp.Result, sim.Report) {
	prog, err := compile.Compile([]machine.File{{Name: "prog.go", Source: src}})
	require.NoError(t, err)
	s, err := gmp.New(v, prog, gmp.Options{
		Machine: machine.Options{MemBytes: 64 << 20}, Procs: cpus, Seed: seed, Trace: traced, Check: traced,
	})
	require.NoError(t, err)
	var result gmp.Result
	report, err := sim.Run(sim.Options{CPUs: cpus, Seed: seed}, func() { result = s.Main() })
	require.NoError(t, err)
	require.NoError(t, result.Err)
	require.Zero(t, result.Status, result.Fatal)
	return result, report
}

func goVersion(t *testing.T, release string) gmp.Version {
	v, err := solutions.Go(release)
	require.NoError(t, err)
	return v
}

const fanOut = `package main

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func main() {
	done := make(chan int)
	for i := range 16 {
		go func() { done <- work(2000 + 500*i) }()
	}
	for range 16 {
		<-done
	}
}`

// The trace shows what Ps do, the same for the same seed, and the timeline has a row
// for each.
func TestTraceOfPs(t *testing.T) {
	v := goVersion(t, "1.1")
	var first []byte
	for range 2 {
		result, _ := simulate(t, v, fanOut, 4, 1, true)
		var text bytes.Buffer
		_, err := result.Log.WriteTo(&text)
		require.NoError(t, err)
		if first == nil {
			first = text.Bytes()
		}
		assert.Equal(t, string(first), text.String(), "the same seed")
	}

	result, _ := simulate(t, v, fanOut, 4, 1, true)
	log := result.Log
	assert.Equal(t, 4, log.Header.Procs)
	assert.Equal(t, gmp.RunqLen, log.Header.Ring)
	assert.False(t, log.Header.Runnext, "Go 1.1 had no runnext")
	queued := map[int64]int32{} // by G, on whose P
	owner := map[int32]int32{}
	kinds := map[trace.Kind]int{}
	for _, e := range log.Events {
		kinds[e.Kind]++
		switch {
		case e.Kind == trace.Put && e.Q == "local":
			assert.NotContains(t, queued, e.G, "G%d is put on a queue at %d and is on one", e.G, e.T)
			queued[e.G] = e.P
		case e.Kind == trace.Get && e.Q == "local":
			assert.Equal(t, e.P, queued[e.G], "the P from which G%d is taken at %d", e.G, e.T)
			delete(queued, e.G)
		case e.Kind == trace.Steal:
			assert.LessOrEqual(t, len(e.Gs), int(e.N)/2+1, "half, at %d", e.T)
			for i, g := range e.Gs {
				assert.Equal(t, e.From, queued[g], "the P from which G%d is stolen at %d", g, e.T)
				queued[g] = e.P
				if i == len(e.Gs)-1 {
					delete(queued, g) // it runs next
				}
			}
		case e.Kind == trace.Acquire:
			assert.NotContains(t, owner, e.P, "P%d has an M at %d", e.P, e.T)
			owner[e.P] = e.M
		case e.Kind == trace.Release:
			assert.Equal(t, e.M, owner[e.P], "the M that has P%d at %d", e.P, e.T)
			delete(owner, e.P)
		}
	}
	for _, kind := range []trace.Kind{trace.Steal, trace.Spin, trace.Unspin, trace.Acquire, trace.Release, trace.NewM, trace.Idle} {
		assert.Positive(t, kinds[kind], "events of kind %q", kind)
	}

	story := timeline.Fold(log, 0)
	assert.Equal(t, 4, story.Rows)
	steals, searching := 0, 0
	for _, step := range story.Steps {
		steals += len(step.Steals)
	}
	for _, bar := range story.Bars {
		if bar.Doing == timeline.Searching {
			searching++
		}
	}
	assert.Equal(t, kinds[trace.Steal], steals)
	assert.Positive(t, searching, "bars of a P that looks for work")
}

// The trace of one M on a simulated CPU has the time of that CPU, in which the scheduler
// itself takes some, too. What the program sleeps is not waited for, and counts.
func TestTraceOfOneM(t *testing.T) {
	elapsed := func(body string) (trace, cpu int64) {
		src := "package main\n\nimport \"time\"\n\nfunc main() {\n" + body + "\n}\n\nvar _ = time.Second\n"
		result, report := simulate(t, goVersion(t, "0.x"), src, 1, 1, true)
		require.Equal(t, "ns", result.Log.Header.Unit)
		assert.Less(t, result.Instructions, report.Elapsed.Nanoseconds())
		return result.Log.Events[len(result.Log.Events)-1].T, report.Elapsed.Nanoseconds()
	}
	awake, cpu := elapsed("for range 1000 {}")
	boot := cpu - awake
	assert.True(t, 0 <= boot && boot < 500, "the CPU runs %d ns, and from the first event to the last are %d ns; before the first, only the scheduler boots", cpu, awake)
	asleep, cpu := elapsed("time.Sleep(3 * time.Millisecond)")
	assert.Equal(t, 3_000_000+cpu-boot, asleep)
}

// The scheduler of chapter 8, in which nobody spins, runs programs as well, also if
// nobody steals.
func TestWithoutSpinning(t *testing.T) {
	v := goVersion(t, "ch08")
	for _, cpus := range []int{1, 2, 4} {
		result, _ := simulate(t, v, fanOut, cpus, 1, true)
		for _, e := range result.Log.Events {
			assert.NotEqual(t, trace.Spin, e.Kind)
		}
		simulate(t, v.With(gmp.None.Only("Stealing")), fanOut, cpus, 1, true)
	}
}

// early takes a Runnext as readily as what is in the ring.
type early struct{ gmp.RunQueue }

func (e early) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	return e.RunQueue.Runqsteal(pp, p2, true)
}

// Runnext helps one program and harms another, and not because it is stolen late: the
// page "One program, several schedulers" says so.
func TestRunnext(t *testing.T) {
	middle := func(program string, v gmp.Version) float64 {
		src, err := os.ReadFile("../book/programs/" + program + ".go")
		require.NoError(t, err)
		var times []float64
		for seed := range uint64(9) {
			_, report := simulate(t, v, string(src), 4, seed, false)
			times = append(times, float64(report.Elapsed.Microseconds()))
		}
		sort.Float64s(times)
		return times[len(times)/2]
	}
	without, with := goVersion(t, "1.1"), goVersion(t, "1.5")
	stolen := with.With(gmp.Version{RunQueue: func(s *gmp.Sched) gmp.RunQueue { return early{ch07.NewRunQueue(s)} }})
	pipeline := []float64{middle("pipeline", without), middle("pipeline", with), middle("pipeline", stolen)}
	bank := []float64{middle("bank", without), middle("bank", with)}
	t.Logf("µs without runnext, with it, and if it is stolen early: pipeline %v; bank %v", pipeline, bank)
	for _, with := range pipeline[1:] { // about a tenth longer, says the page
		assert.InDelta(t, 1.11, with/pipeline[0], 0.025)
	}
	assert.Less(t, bank[1], bank[0])
}
