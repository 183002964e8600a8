package solutions_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
	"gosched/chapters/machine/sim"
	"gosched/chapters/sample"
	"gosched/solutions"
)

// TestCorpusCollected proves that the collector takes nothing that a program still needs: the
// corpus is collected all the time, and what is freed is poisoned.
func TestCorpusCollected(t *testing.T) {
	eachProgram(t, func(t *testing.T, v gmp.Version, p program) {
		if v.Threads != nil && ofTime(p) {
			t.Skip("it counts on who is first by some milliseconds; where time is real, threads may be later than that")
		}
		if p.name == "go_main_returns" && v.World != nil && v.Signals == nil {
			t.Skip("a goroutine that never calls anything cannot be stopped before Go 1.14, and so the world cannot")
		}
		t.Parallel()
		var ways []gmp.Options
		for _, procs := range corpusProcs(v, p) {
			for _, every := range []int{1, 7, 100} {
				for _, slice := range []int64{0, 1009} {
					for _, way := range collected(every) {
						ways = append(ways, gmp.Options{Procs: procs, Slice: slice, Machine: way})
					}
				}
			}
		}
		for _, way := range sample.Deal(p.row, 1, ways) {
			out, _ := play(t, v, p.prog, way, (*gmp.Sched).Main)
			assert.Equal(t, p.want, out, "%d Gs at once, slice of %d instructions, collected at every %d allocations, in slices of %d bytes", way.Procs, way.Slice, way.Machine.GCEvery, way.Machine.GCSlice)
		}
	})
}

// collected are the ways to collect at every so many allocations: all at once, while the world
// stands still; and in slices, between which the program runs.
func collected(every int) []machine.Options {
	return []machine.Options{
		{GCEvery: every, PoisonFreed: true},
		{GCEvery: every, GCSlice: 100, PoisonFreed: true},
	}
}

func source(t *testing.T, name, text string) *machine.Program {
	prog, err := compile.Compile([]machine.File{{Name: name, Source: text}})
	require.NoError(t, err)
	return prog
}

// What keeps objects alive, each in a program of its own that prints ok: it makes garbage, and
// looks at what must not be garbage. Without the root it is named after, it fails.
func TestRoots(t *testing.T) {
	paths, err := filepath.Glob("testdata/gc/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		want, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".golden")
		require.NoError(t, err)
		prog := source(t, filepath.Base(path), string(text))
		for _, release := range solutions.Versions() {
			t.Run(filepath.Base(path)+"/"+release, func(t *testing.T) {
				v, err := solutions.Go(release)
				require.NoError(t, err)
				for _, procs := range procs(v) {
					for _, way := range append(collected(1), collected(3)...) {
						_, _, got := run(t, v, prog, gmp.Options{Procs: procs, Machine: way}, simulated)
						assert.Equal(t, string(want), got.stdout, "GOMAXPROCS %d, collected at every %d allocations, in slices of %d bytes\n%s", procs, way.GCEvery, way.GCSlice, got.stderr)
					}
				}
			})
		}
	}
}

// What the runtime copies or clears in memory is kept while a collection marks, as what a program
// stores: both the value that was there and the new one.
func TestRuntimeBarriers(t *testing.T) {
	prog := source(t, "pointer.go", "package main\n\nfunc main() { c := make(chan *int, 1); c <- new(int); println(*<-c) }\n")
	layout := slices.IndexFunc(prog.Layouts, func(l machine.Layout) bool { return l.Size == 8 && len(l.Pointers) == 1 && l.Pointers[0] == 1 })
	require.NotEqual(t, -1, layout, "no type of the program is one address")
	elem := &machine.Type{Kind: machine.KindPointer, Size: 8, Layout: layout}
	for name, c := range map[string]struct {
		store func(s *gmp.Sched, dst, src machine.Addr)
		marks bool // the value that is at src
	}{
		"Typedmemmove": {func(s *gmp.Sched, dst, src machine.Addr) { s.Typedmemmove(elem, dst, src) }, true},
		"Typedmemclr":  {func(s *gmp.Sched, dst, src machine.Addr) { s.Typedmemclr(elem, dst) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := solutions.Go("1.26")
			require.NoError(t, err)
			s, err := gmp.New(v, prog, gmp.Options{})
			require.NoError(t, err)
			m := s.Machine
			th := m.NewThread()
			object := func() machine.Addr {
				addr, ok := th.AllocChan(elem, 1)
				require.True(t, ok)
				return addr
			}
			dst, src, last, next := object()+8, object()+8, object(), object()
			m.SetWord(dst, uint64(last))
			m.SetWord(src, uint64(next))
			m.GCStart()
			c.store(s, dst, src)
			assert.True(t, m.GCMarked(last), "the value that was there")
			assert.Equal(t, c.marks, m.GCMarked(next), "the new value")
		})
	}
}

func simulated(s *gmp.Sched) (res gmp.Result) {
	if _, err := sim.Run(sim.Options{CPUs: 4, Seed: 1}, func() { res = s.Main() }); err != nil {
		res.Err = err
	}
	return res
}

// A program that allocates 2 GB in all and needs 2 MB of it runs in 64 MiB.
func TestFlat(t *testing.T) {
	const flat = `package main

import (
	"fmt"
	"runtime"
)

type tree struct{ l, r *tree }

func build(d int) *tree {
	if d == 0 {
		return &tree{}
	}
	return &tree{build(d - 1), build(d - 1)}
}

func (t *tree) count() int {
	if t.l == nil {
		return 1
	}
	return 1 + t.l.count() + t.r.count()
}

func main() {
	live, most, total, small := build(15), uint64(0), 0, 0
	for i := range 200 {
		b := make([]byte, 10<<20)
		b[i] = 1
		total += len(b)
		small += build(8).count() + len(make(chan int, 100)) + len(map[int]string{1: "x"})
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(total, live.count(), small, most < 40<<20, m.TotalAlloc > 2000<<20, m.NumGC > 50, m.HeapObjects < 100_000)
}`
	prog := source(t, "flat.go", flat)
	for _, release := range sample.Deal(0, 2, solutions.Versions()) {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		_, _, got := run(t, v, prog, gmp.Options{Procs: 2, Machine: machine.Options{MemBytes: 64 << 20}}, (*gmp.Sched).Main)
		assert.Equal(t, "2097152000 65535 102400 true true true true\n", got.stdout, release)
	}
}

// The program that passes the only pointer to an object through every kind of store does so while
// mark workers run beside it, collection after collection.
func TestWorkers(t *testing.T) {
	text, err := os.ReadFile("testdata/gc/barriers.go")
	require.NoError(t, err)
	often := strings.Replace(string(text), "all := places()", "debug.SetGCPercent(1)\n\tall := places()", 1)
	often = strings.Replace(often, "range 3 {\n\t\tp := all[0]", "range 100 {\n\t\tp := all[0]", 1)
	often = strings.Replace(often, `"fmt"`, "\"fmt\"\n\t\"runtime/debug\"", 1)
	prog := source(t, "barriers.go", often)
	for _, release := range solutions.Versions() {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		if v.GCWork == nil {
			continue
		}
		for _, way := range []mainFunc{(*gmp.Sched).Main, simulated} {
			s, _, got := run(t, v, prog, gmp.Options{Procs: 4, Machine: machine.Options{PoisonFreed: true}}, way)
			assert.Equal(t, "ok\n", got.stdout, "%s: %s", release, got.stderr)
			assert.Greater(t, s.Machine.Stats().NumGC, uint32(5), release)
		}
	}
}

// A program that makes objects for a minute, 100 MB of them, on many goroutines, stays within 4 MiB.
func TestMinute(t *testing.T) {
	const minute = `package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

type item struct {
	next *item
	data []byte
}

func main() {
	end := time.Now().Add(time.Minute)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			counts := map[string]int{}
			for time.Now().Before(end) {
				var list *item
				for k := range 100 {
					list = &item{list, make([]byte, 200+k)}
				}
				text := strings.Repeat("x", len(list.data))
				counts[text[:50+i]]++
				if len(counts) > 1 {
					panic("another text")
				}
				reply := make(chan *item)
				go func() { reply <- list.next }()
				if (<-reply).next == nil {
					panic("lost")
				}
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.TotalAlloc > 100<<20, m.Sys <= 4<<20)
}`
	prog := source(t, "minute.go", minute)
	for _, release := range sample.Deal(1, 2, solutions.Versions()) {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		opt := gmp.Options{Procs: procs(v)[len(procs(v))-1], Machine: machine.Options{MemBytes: 4 << 20}}
		_, _, got := run(t, v, prog, opt, simulated)
		assert.Equal(t, "true true\n", got.stdout, "%s: %s", release, got.stderr)
	}
}

// Finalizers and cleanups are called as under Go, whose output is the golden file.
func TestFinalizers(t *testing.T) {
	text, err := os.ReadFile("testdata/gc/finalizers.go")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/gc/finalizers.golden")
	require.NoError(t, err)
	for _, release := range solutions.Versions() {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		_, _, got := run(t, v, source(t, "finalizers.go", string(text)), gmp.Options{}, simulated)
		assert.Equal(t, string(want), got.stdout, release)
	}
}

// A timer that is set and that nobody can look at any more goes at once where it is in no
// heap, and else stays until it has fired.
func TestForgottenTimers(t *testing.T) {
	const forgotten = `package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	for range 1000 {
		time.After(time.Hour)
		time.NewTicker(time.Minute)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.Mallocs > 3000, m.Mallocs-m.Frees < 500)
}`
	prog := source(t, "forgotten.go", forgotten)
	for _, release := range solutions.Versions() {
		v, err := solutions.Go(release)
		require.NoError(t, err)
		_, _, got := run(t, v, prog, gmp.Options{}, simulated)
		assert.Equal(t, fmt.Sprintln(true, v.TimerHeap != nil), got.stdout, release)
	}
}

// TestRandomGraphs plays random programs that build graphs of objects and drop parts of them.
// They do the same whether they are collected or not, and however their stacks move.
func TestRandomGraphs(t *testing.T) {
	for seed := range sample.Of[uint64](2, 6, 60) {
		prog := source(t, "graphs.go", graphs(seed))
		versions := solutions.Versions()
		for _, release := range sample.Deal(int(seed), 2, versions) {
			v, err := solutions.Go(release)
			require.NoError(t, err)
			_, _, plain := run(t, v, prog, gmp.Options{}, simulated)
			require.Zero(t, plain.status, "seed %d: %s", seed, plain.stderr)
			for _, procs := range procs(v) {
				for _, way := range slices.Concat(collected(1), collected(3), collected(40)) {
					opt := gmp.Options{Procs: procs, Seed: seed, Machine: way}
					if way.GCEvery > 1 && v.Signals != nil {
						opt.MayMoreStack = gmp.MayMoreStackShrink
					}
					_, _, got := run(t, v, prog, opt, simulated)
					assert.Equal(t, plain, got, "seed %d, Go %s, GOMAXPROCS %d, collected at every %d allocations, in slices of %d bytes:\n%s", seed, release, procs, way.GCEvery, way.GCSlice, graphs(seed))
				}
			}
		}
	}
}

// graphs writes a random program, whose output depends on nothing but the seed.
func graphs(seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 17))
	var b strings.Builder
	n := rnd.IntN
	b.WriteString(graphsHead)
	for w := range 3 + n(3) {
		fmt.Fprintf(&b, "\nfunc work%d(in <-chan *node, out chan<- any, deep int) (r int) {\n", w)
		fmt.Fprintf(&b, "\tw := newWorld(%d)\n", n(100))
		recovers := n(2) == 0
		if recovers {
			b.WriteString("\tkeep := w.fresh()\n\tdefer func() { r += keep.sum(4); if e := recover(); e != nil { r += e.(*node).v } }()\n")
		}
		for range 8 + n(12) {
			switch n(12) {
			case 0:
				fmt.Fprintf(&b, "\tw.nodes[%d] = w.fresh()\n", n(8))
			case 1:
				fmt.Fprintf(&b, "\tw.nodes[%d].left = w.nodes[%d]\n", n(8), n(8))
			case 2:
				fmt.Fprintf(&b, "\tw.nodes[%d].right = w.nodes[%d]\n", n(8), n(8))
			case 3:
				fmt.Fprintf(&b, "\tw.inner = append(w.inner, &w.nodes[%d].body[%d])\n", n(8), n(4))
			case 4:
				fmt.Fprintf(&b, "\tw.byName[fmt.Sprint(%d)] = w.nodes[%d]\n\tdelete(w.byName, fmt.Sprint(%d))\n", n(20), n(8), n(20))
			case 5:
				fmt.Fprintf(&b, "\tx%d := w.nodes[%d]\n\tw.calls = append(w.calls, func() int { return x%d.v + w.nodes[%d].v })\n", b.Len(), n(8), b.Len(), n(8))
			case 6:
				fmt.Fprintf(&b, "\tw.anything = append(w.anything, w.nodes[%d], *w.nodes[%d], w.nodes[%d].body, %d, fmt.Sprint(r))\n", n(8), n(8), n(8), n(9))
			case 7:
				fmt.Fprintf(&b, "\tfor range %d {\n\t\tnd := <-in\n\t\tr += nd.sum(3)\n\t\tw.nodes[%d] = nd\n\t}\n", 1+n(3), n(8))
			case 8:
				fmt.Fprintf(&b, "\tdefer func(x *node, s []int) { r += x.v + s[0] }(w.nodes[%d], w.nodes[%d].body[%d:])\n", n(8), n(8), n(4))
			case 9:
				fmt.Fprintf(&b, "\tif deep > 0 {\n\t\tr += work%d(in, out, deep-1)\n\t}\n", w)
			case 10:
				fmt.Fprintf(&b, "\tselect {\n\tcase out <- w.nodes[%d]:\n\tcase nd := <-in:\n\t\tr += nd.sum(2)\n\t}\n", n(8))
			case 11:
				fmt.Fprintf(&b, "\tr += w.total()\n\tw.inner = w.inner[len(w.inner)/%d:]\n\tw.calls = w.calls[len(w.calls)/%d:]\n", 2+n(3), 2+n(3))
			}
		}
		if recovers {
			fmt.Fprintf(&b, "\tif r %% 2 == 0 {\n\t\tpanic(w.nodes[%d])\n\t}\n", n(8))
		}
		b.WriteString("\treturn r + w.total()\n}\n")
	}
	var works []string
	for w := range strings.Count(b.String(), "\nfunc work") {
		works = append(works, fmt.Sprint("work", w))
	}
	return b.String() + strings.ReplaceAll(graphsMain, "WORKS", strings.Join(works, ", "))
}

const graphsHead = `package main

import (
	"fmt"
	"sync"
	"time"
)

type node struct {
	v           int
	left, right *node
	body        [4]int
	text        string
}

func (nd *node) sum(deep int) int {
	if nd == nil || deep == 0 {
		return 0
	}
	return nd.v + nd.body[nd.v&3] + len(nd.text) + nd.left.sum(deep-1) + nd.right.sum(deep-1)
}

type world struct {
	n        int
	nodes    [8]*node
	inner    []*int
	byName   map[string]*node
	calls    []func() int
	anything []any
}

func newWorld(n int) *world {
	w := &world{n: n, byName: map[string]*node{}}
	for i := range w.nodes {
		w.nodes[i] = w.fresh()
	}
	return w
}

func (w *world) fresh() *node {
	w.n++
	return &node{v: w.n, body: [4]int{w.n, w.n * 2, w.n * 3, 7}, text: fmt.Sprint("node ", w.n)}
}

func (w *world) total() (sum int) {
	for _, nd := range w.nodes {
		sum += nd.sum(4)
	}
	for _, p := range w.inner {
		sum += *p
	}
	for name, nd := range w.byName {
		sum += len(name) + nd.sum(2)
	}
	for _, call := range w.calls {
		sum += call()
	}
	for _, x := range w.anything {
		switch x := x.(type) {
		case *node:
			sum += x.sum(2)
		case node:
			sum += x.sum(2)
		case [4]int:
			sum += x[0] + x[3]
		case int:
			sum += x
		case string:
			sum += len(x)
		}
	}
	return sum % 1_000_003
}

// A list keeps nodes for reuse, as a sync.Pool does.
type list struct {
	mu   sync.Mutex
	free []*node
}

var pool list

func (l *list) put(nd *node) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.free) < 5 {
		l.free = append(l.free, nd)
	}
}
`

const graphsMain = `
func main() {
	works := []func(in <-chan *node, out chan<- any, deep int) int{WORKS}
	results := make([]int, len(works))
	var wg sync.WaitGroup
	for i, work := range works {
		wg.Go(func() {
			in, out, stop := make(chan *node, i), make(chan any), make(chan bool)
			fired := make(chan int, 1)
			secret := &node{v: i, text: fmt.Sprint("late ", i)}
			time.AfterFunc(time.Duration(50+i)*time.Microsecond, func() { fired <- secret.sum(1) })
			go func() {
				for n := 0; ; n++ { // always the same node, so that it does not matter how many
					nd := &node{v: 5, body: [4]int{1, 2, 3, 4}, left: &node{v: 9, text: "left"}}
					select {
					case in <- nd:
						pool.put(&node{v: 5, left: &node{v: 9, text: "left"}})
					case x := <-out:
						if x.(*node).v < 0 {
							panic("no")
						}
					case <-stop:
						return
					}
				}
			}()
			results[i] = work(in, nil, 2)
			close(stop)
			results[i] += <-fired
		})
	}
	wg.Wait()
	for _, nd := range pool.free {
		if nd.v != 5 || nd.left.text != "left" {
			panic("pool")
		}
	}
	fmt.Println(results)
}
`
