package main

import (
	"fmt"
	"time"

	ch09 "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// A root is a run of fib.go on one CPU, measured from the first instruction of main on.
type root struct {
	work time.Duration // T_1
	span time.Duration // T_inf
}

// A tree is a run on several.
type tree struct {
	root
	cpus  int
	time  time.Duration // T_P
	chain time.Duration // how long a P waits for its first G, on average of all
	link  time.Duration // from the first G of one P to that of the next, on average
}

// over is what T_P is above T_1/P.
func (r tree) over() time.Duration { return r.time - r.work/time.Duration(r.cpus) }

// rest is what neither work nor chain explain.
func (r tree) rest() time.Duration { return r.over() - r.chain }

// spans is a stretch of time in multiples of T_inf.
func (r root) spans(d time.Duration) float64 { return float64(d) / float64(r.span) }

// forkJoin shows how long a tree of goroutines takes on 1 to 64 CPUs, and what that time
// is made of.
func forkJoin() error {
	one, err := plant(seeds[0], sim.BareMetal())
	if err != nil {
		return err
	}
	fmt.Printf("T_1 = %.0f µs, T_inf = %.0f µs, T_1/T_inf = %.0f\n\n", micros(one.work), micros(one.span), one.spans(one.work))
	fmt.Println("T_P = T_1/P + over and over = chain + rest, in µs and in T_inf")
	fmt.Println("   P    T_P  T_1/P  over  chain  rest  over/T_inf  chain/T_inf  rest/T_inf")
	var r tree
	for cpus := 1; cpus <= most; cpus *= 2 {
		if r, err = one.grow(cpus, seeds[0], sim.BareMetal()); err != nil {
			return err
		}
		fmt.Printf("%4d  %5.0f  %5.0f  %4.0f  %5.0f  %4.0f  %10.1f  %11.1f  %10.1f\n", cpus, micros(r.time), micros(r.work)/float64(cpus),
			micros(r.over()), micros(r.chain), micros(r.rest()), r.spans(r.over()), r.spans(r.chain), r.spans(r.rest()))
	}
	fmt.Printf("\nWith %d Ps, each gets its first G %.0f µs after the previous one.\n", r.cpus, micros(r.link))
	return nil
}

// plant measures fib.go on Go 1.1 on one CPU.
func plant(seed uint64, c sim.Costs) (root, error) {
	log, err := runTree(1, seed, c)
	if err != nil {
		return root{}, err
	}
	return root{work: length(log), span: span(log)}, nil
}

// grow measures it on several CPUs of that kind.
func (r root) grow(cpus int, seed uint64, c sim.Costs) (tree, error) {
	log, err := runTree(cpus, seed, c)
	if err != nil {
		return tree{}, err
	}
	wait, link := chain(log)
	return tree{root: r, cpus: cpus, time: length(log), chain: wait, link: link}, nil
}

func runTree(cpus int, seed uint64, c sim.Costs) (*trace.Log, error) {
	v, err := solutions.Go("1.1")
	if err != nil {
		return nil, err
	}
	run, err := ch09.Suite.Measure(v, "fib.go", sim.Options{CPUs: cpus, Seed: seed, Costs: c}, check.Traced)
	return run.Log, err
}

// begin is when main runs its first instruction.
func begin(log *trace.Log) int64 {
	for _, e := range log.Events {
		if e.Kind == trace.Run {
			return e.T
		}
	}
	return 0
}

// length is the time from there to the end of the run.
func length(log *trace.Log) time.Duration {
	return time.Duration(log.Events[len(log.Events)-1].T - begin(log))
}

// span is the critical path of a run on one CPU: the longest chain of things that must
// come one after another, which no number of CPUs makes shorter. Each moment of the run
// belongs to a G: to the one that runs, or, as long as the scheduler looks for one, to the
// one that it finds. A G begins when its creator has come so far; and when two meet at an
// unbuffered channel, of which one waits there already, neither goes on before the other
// one has come. That is how the Gs of fib.go meet; other ways to wait need other rules.
func span(log *trace.Log) time.Duration {
	path := map[int64]int64{} // of each G: the longest chain that ends where it is now
	running, looking, last := int64(0), int64(0), begin(log)
	for _, e := range log.Events {
		if e.T < last {
			continue
		}
		if running != 0 {
			path[running] += e.T - last
		} else {
			looking += e.T - last
		}
		last = e.T
		switch e.Kind {
		case trace.Create:
			path[e.G] = path[e.By]
		case trace.Ready:
			meeting := max(path[e.G], path[e.By])
			path[e.G], path[e.By] = meeting, meeting
		case trace.Run:
			running = e.G
			path[running] += looking
			looking = 0
		case trace.Park, trace.Exit:
			running = 0
		}
	}
	return time.Duration(path[mainG])
}

// mainG is the number of the main goroutine.
const mainG = 1

// chain tells how long the Ps of a run wait for their first G, on average of all, and how
// far these moments lie apart. One that never gets any waits to the end.
func chain(log *trace.Log) (wait, link time.Duration) {
	first := map[int32]int64{}
	start, sum, last := begin(log), int64(0), int64(0)
	for _, e := range log.Events {
		if _, seen := first[e.P]; e.Kind == trace.Run && !seen {
			first[e.P] = e.T
			last = e.T - start
			sum += last
		}
	}
	idle := log.Header.Procs - len(first)
	sum += int64(idle) * int64(length(log))
	return time.Duration(sum) / time.Duration(log.Header.Procs), time.Duration(last) / time.Duration(max(1, len(first)-1))
}
