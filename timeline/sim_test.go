package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gosched/chapters/trace"
)

// An op is what a G of the toy scheduler below does next.
type op struct {
	do   string // "work", "go", "send", "recv", "yield", "print", "sleep", "read"
	n    int64  // of work, sleep, read: ticks; of go: index of the new G's program
	line int
	text string
}

// A toy is a scheduler just good enough to write logs as the real ones do: one
// unbuffered channel, stealing, idle Ms, time slices. A tick is an instruction.
type toy struct {
	log   *trace.Log
	progs [][]op
	names []string
	slice int64 // ticks until a preemption; 0 for none

	t       int64
	gs      map[int64]*toyG
	rows    []*toyRow
	global  []int64
	senders []int64
	recvs   []int64
	done    bool
}

type toyG struct {
	ops   []op
	left  int64 // ticks until the op is done
	wakes int64 // when it sleeps
}

type toyRow struct {
	g, next  int64
	queue    []int64
	awake    bool
	spinning bool
	ran      int64
}

func (s *toy) byM() bool { return s.log.Header.Procs == 0 }

func (s *toy) emit(row int, e trace.Event) {
	e.T, e.M, e.P = s.t, int32(row), int32(row)
	if s.byM() {
		e.P = trace.None
	}
	if e.G == 0 {
		e.G = trace.None
	}
	s.log.Events = append(s.log.Events, e)
}

func (s *toy) run(limit int64) *trace.Log {
	s.gs = map[int64]*toyG{}
	for range max(1, s.log.Header.Procs) {
		s.rows = append(s.rows, &toyRow{})
	}
	s.rows[0].awake = true
	if !s.byM() {
		s.emit(0, trace.Event{Kind: trace.Acquire})
	}
	s.newG(0, 0, 0, 0)
	for ; !s.done && s.t < limit; s.t++ {
		for _, id := range s.sleepers() {
			s.emit(0, trace.Event{Kind: trace.Ready, G: id})
			s.put(0, id, false)
		}
		for i := range s.rows {
			if s.rows[i].awake && !s.done {
				s.tick(i)
			}
		}
		if !s.done && s.stuck() {
			s.emit(0, trace.Event{Kind: trace.End, N: 2, Text: "all goroutines are asleep - deadlock!"})
			s.done = true
		}
	}
	s.log.Header.Ms = len(s.rows)
	return s.log
}

func (s *toy) sleepers() (ids []int64) {
	for id, g := range s.gs {
		if g.wakes != 0 && g.wakes <= s.t {
			g.wakes = 0
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s *toy) stuck() bool {
	for _, r := range s.rows {
		if r.g != 0 || r.next != 0 || len(r.queue) > 0 {
			return false
		}
	}
	for _, g := range s.gs {
		if g.wakes != 0 {
			return false
		}
	}
	return len(s.global) == 0
}

func (s *toy) newG(row int, by int64, prog, line int) {
	id := int64(len(s.gs) + 1)
	s.gs[id] = &toyG{ops: s.progs[prog]}
	s.emit(row, trace.Event{Kind: trace.Create, G: id, By: by, Line: line, Text: "main." + s.names[prog]})
	s.put(row, id, false)
	for i, r := range s.rows {
		if !r.awake && by != 0 {
			r.awake = true
			s.emit(i, trace.Event{Kind: trace.Wake})
			s.emit(i, trace.Event{Kind: trace.Acquire})
			break
		}
	}
}

func (s *toy) put(row int, id int64, global bool) {
	r := s.rows[row]
	switch {
	case global || s.byM():
		s.emit(row, trace.Event{Kind: trace.Put, G: id, Q: "global"})
		s.global = append(s.global, id)
	case s.log.Header.Runnext:
		if old := r.next; old != 0 {
			s.emit(row, trace.Event{Kind: trace.Put, G: old, Q: "local"})
			r.queue = append(r.queue, old)
		}
		s.emit(row, trace.Event{Kind: trace.Put, G: id, Q: "next"})
		r.next = id
	default:
		s.emit(row, trace.Event{Kind: trace.Put, G: id, Q: "local"})
		r.queue = append(r.queue, id)
	}
}

func (s *toy) tick(row int) {
	r := s.rows[row]
	if r.g == 0 {
		s.schedule(row)
		return
	}
	r.ran++
	g := s.gs[r.g]
	if g.left > 0 {
		g.left--
		if s.slice > 0 && r.ran >= s.slice && g.left > 0 {
			id := r.g
			s.emit(row, trace.Event{Kind: trace.Preempt, G: id, Line: g.ops[0].line, Text: trace.BySignal})
			r.g = 0
			s.put(row, id, true)
			s.schedule(row)
		}
		return
	}
	s.do(row, r.g, g)
}

func (s *toy) do(row int, id int64, g *toyG) {
	r := s.rows[row]
	if len(g.ops) == 0 {
		s.emit(row, trace.Event{Kind: trace.Exit, G: id})
		r.g = 0
		if id == 1 {
			s.emit(row, trace.Event{Kind: trace.End})
			s.done = true
			return
		}
		s.schedule(row)
		return
	}
	o := g.ops[0]
	g.ops = g.ops[1:]
	switch o.do {
	case "work":
		g.left = o.n
		g.ops = append([]op{{do: "nop", line: o.line}}, g.ops...)
	case "go":
		s.newG(row, id, int(o.n), o.line)
	case "print":
		s.emit(row, trace.Event{Kind: trace.Write, G: id, N: 1, Line: o.line, Text: o.text})
	case "yield":
		s.emit(row, trace.Event{Kind: trace.Yield, G: id, Line: o.line})
		r.g = 0
		s.put(row, id, true)
		s.schedule(row)
	case "sleep":
		g.wakes = s.t + o.n
		s.park(row, id, o.line, "sleep")
	case "read":
		s.emit(row, trace.Event{Kind: trace.Syscall, G: id, Line: o.line, Text: "read"})
		g.left = o.n
		g.ops = append([]op{{do: "back", line: o.line}}, g.ops...)
	case "back":
		s.emit(row, trace.Event{Kind: trace.Sysexit, G: id, Line: o.line})
	case "send":
		s.meet(row, id, o.line, &s.recvs, &s.senders, "chan send")
	case "recv":
		s.meet(row, id, o.line, &s.senders, &s.recvs, "chan receive")
	}
}

func (s *toy) meet(row int, id int64, line int, others, own *[]int64, why string) {
	if len(*others) == 0 {
		*own = append(*own, id)
		s.park(row, id, line, why)
		return
	}
	other := (*others)[0]
	*others = (*others)[1:]
	s.emit(row, trace.Event{Kind: trace.Ready, G: other, By: id, Line: line})
	s.put(row, other, false)
}

func (s *toy) park(row int, id int64, line int, why string) {
	s.emit(row, trace.Event{Kind: trace.Park, G: id, Line: line, Text: why})
	s.rows[row].g = 0
	s.schedule(row)
}

func (s *toy) schedule(row int) {
	r := s.rows[row]
	id, q := int64(0), ""
	switch {
	case r.next != 0:
		id, q, r.next = r.next, "next", 0
	case len(r.queue) > 0:
		id, q, r.queue = r.queue[0], "local", r.queue[1:]
	case len(s.global) > 0:
		id, q, s.global = s.global[0], "global", s.global[1:]
	}
	if id != 0 {
		s.emit(row, trace.Event{Kind: trace.Get, G: id, Q: q})
	} else if id = s.steal(row); id == 0 {
		return
	}
	r.g, r.ran = id, 0
	line := 0
	if ops := s.gs[id].ops; len(ops) > 0 {
		line = ops[0].line
	}
	s.emit(row, trace.Event{Kind: trace.Run, G: id, Line: line})
}

func (s *toy) steal(row int) int64 {
	r := s.rows[row]
	if s.byM() {
		return 0
	}
	if row == 0 && !r.spinning && !slices.ContainsFunc(s.rows, func(v *toyRow) bool { return len(v.queue) > 0 }) {
		return 0 // M0 does not sleep, so that somebody wakes the sleepers
	}
	if !r.spinning {
		r.spinning = true
		s.emit(row, trace.Event{Kind: trace.Spin})
		return 0
	}
	r.spinning = false
	s.emit(row, trace.Event{Kind: trace.Unspin})
	for i, v := range s.rows {
		if n := len(v.queue); i != row && n > 0 {
			half := n - n/2
			took := slices.Clone(v.queue[:half])
			v.queue = v.queue[half:]
			s.emit(row, trace.Event{Kind: trace.Steal, From: int32(i), Gs: took, N: int64(n)})
			last := took[half-1]
			r.queue = append(r.queue, took[:half-1]...)
			return last
		}
	}
	if row != 0 {
		s.emit(row, trace.Event{Kind: trace.Release})
		s.emit(row, trace.Event{Kind: trace.Idle})
		r.awake = false
	}
	return 0
}

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

// zeroX is a run of Go 0.x: one M, one queue, yields.
func zeroX() *trace.Log {
	worker := func(name string) []op {
		return []op{
			{do: "print", line: 9, text: name + " 1\n"}, {do: "yield", line: 10},
			{do: "print", line: 9, text: name + " 2\n"}, {do: "yield", line: 10},
		}
	}
	s := &toy{
		log: &trace.Log{Header: trace.Header{Schema: trace.Schema, Go: "0.x", Unit: "instructions", Seed: 1, File: "turns.go", Source: lines(
			"package main", "", `import (`, `	"fmt"`, `	"runtime"`, `)`, "",
			"func worker(name string) { for i := 1; i <= 2; i++ {", `	fmt.Println(name, i)`, "	runtime.Gosched()", "}}", "",
			"func main() {", `	for _, name := range []string{"a", "b", "c"} {`, "		go worker(name)", "	}",
			"	for i := 0; i < 4; i++ {", "		runtime.Gosched()", "	}", `	fmt.Println("main is done")`, "}")}},
		names: []string{"main", "worker", "worker", "worker"},
		progs: [][]op{
			{{do: "work", n: 12, line: 14}, {do: "go", n: 1, line: 15}, {do: "work", n: 4, line: 14}, {do: "go", n: 2, line: 15}, {do: "work", n: 4, line: 14}, {do: "go", n: 3, line: 15},
				{do: "yield", line: 18}, {do: "work", n: 3, line: 17}, {do: "yield", line: 18}, {do: "yield", line: 18}, {do: "yield", line: 18}, {do: "print", line: 20, text: "main is done\n"}},
			worker("a"), worker("b"), worker("c"),
		},
	}
	return s.run(10000)
}

// oneOne is a run of Go 1.1 on 3 Ps: steals, parks, idle Ms.
func oneOne() *trace.Log {
	main := []op{{do: "work", n: 5, line: 17}}
	s := &toy{
		log: &trace.Log{Header: trace.Header{Schema: trace.Schema, Go: "1.1", Procs: 3, Unit: "instructions", Seed: 1, Ring: 256, File: "workers.go", Source: lines(
			"package main", "", "func sum(n int) int {", "	s := 0", "	for i := 0; i < n; i++ {", "		s += i", "	}", "	return s", "}", "",
			"func work(id, n int, done chan int) {", "	sum(n)", "	done <- id", "}", "",
			"func main() {", "	done := make(chan int)", "	for i := 0; i < 6; i++ {", "		go work(i, 100*i, done)", "	}",
			"	for i := 0; i < 6; i++ {", `		println("worker", <-done)`, "	}", "}")}},
		names: []string{"main"},
	}
	for i := range 6 {
		s.names = append(s.names, "work")
		main = append(main, op{do: "go", n: int64(i + 1), line: 19}, op{do: "work", n: 2, line: 18})
		s.progs = append(s.progs, []op{{do: "work", n: int64(40 + 30*((i*5)%6)), line: 12}, {do: "send", line: 13}})
	}
	for i := range 6 {
		main = append(main, op{do: "recv", line: 22}, op{do: "print", line: 22, text: fmt.Sprintf("worker %d\n", (i*2+2)%6)})
	}
	s.progs = append([][]op{main}, s.progs...)
	return s.run(100000)
}

// preempted is a run of Go 1.14 on 2 Ps: three Gs that never call anything, a
// sleeper and a system call.
func preempted() *trace.Log {
	spin := []op{{do: "work", n: 1 << 40, line: 4}}
	s := &toy{
		slice: 60,
		log: &trace.Log{Header: trace.Header{Schema: trace.Schema, Go: "1.14", Procs: 2, Unit: "instructions", Seed: 3, Runnext: true, Ring: 256, File: "spin.go", Source: lines(
			"package main", "", "func spin() {", "	for {", "	}", "}", "", `import "time"`, "", "func nap() {", "	time.Sleep(90)", "	read()", "}", "",
			"func main() {", "	go nap()", "	for i := 0; i < 3; i++ {", "		go spin()", "	}", "	for i := 0; i < 100; i++ {", "	}", `	println("done")`, "}")}},
		names: []string{"main", "spin", "spin", "spin", "nap"},
		progs: [][]op{
			{{do: "work", n: 9, line: 16}, {do: "go", n: 4, line: 16}, {do: "go", n: 1, line: 18}, {do: "work", n: 3, line: 17}, {do: "go", n: 2, line: 18}, {do: "work", n: 3, line: 17}, {do: "go", n: 3, line: 18}, {do: "work", n: 200, line: 20}, {do: "print", line: 22, text: "done\n"}},
			spin, spin, spin,
			{{do: "sleep", n: 90, line: 11}, {do: "read", n: 20, line: 12}},
		},
	}
	return s.run(3000)
}

// called is a run of Go 1.14 on 2 Ps, written by hand: M0 loses its P in a call and finds
// another one, M1 hands off its own and comes back without; stacks grow, and signals hit.
func called() *trace.Log {
	return &trace.Log{Header: trace.Header{Schema: trace.Schema, Go: "1.14", Procs: 2, Unit: "ns", Runnext: true, Ring: 256}, Events: []trace.Event{
		{T: 10, Kind: trace.Run, M: 0, P: 0, G: 2, Line: 3},
		{T: 20, Kind: trace.Run, M: 1, P: 1, G: 3, Line: 5},
		{T: 30, Kind: trace.Syscall, M: 0, P: 0, G: 2, Line: 4, Text: "read"},
		{T: 35, Kind: trace.Syscall, M: 1, P: 1, G: 3, Line: 6, Text: "nanosleep"},
		{T: 40, Kind: trace.Handoff, M: 0, P: 0, G: trace.None, Text: trace.Retaken},
		{T: 40, Kind: trace.NewM, M: 2, P: trace.None, G: trace.None},
		{T: 45, Kind: trace.Acquire, M: 2, P: 0, G: trace.None},
		{T: 45, Kind: trace.Run, M: 2, P: 0, G: 4, Line: 9},
		{T: 50, Kind: trace.Handoff, M: 1, P: 1, G: trace.None},
		{T: 55, Kind: trace.Stack, M: 2, P: 0, G: 4, N: 4096},
		{T: 60, Kind: trace.Sysexit, M: 1, P: trace.None, G: 3, Line: 6},
		{T: 60, Kind: trace.Put, M: trace.None, P: trace.None, G: 3, Q: "global"},
		{T: 60, Kind: trace.Idle, M: 1, P: trace.None, G: trace.None},
		{T: 70, Kind: trace.Signal, M: 2, P: 0, G: 4, Line: 10, Text: "the instruction is no safe point"},
		{T: 80, Kind: trace.Acquire, M: 0, P: 1, G: trace.None},
		{T: 80, Kind: trace.Sysexit, M: 0, P: 1, G: 2, Line: 4},
		{T: 80, Kind: trace.Run, M: 0, P: 1, G: 2, Line: 4},
		{T: 90, Kind: trace.Ask, M: trace.None, P: 1, G: 2, Text: "it has run for 10 ms"},
		{T: 95, Kind: trace.Signal, M: 0, P: 1, G: 2, Line: 7},
		{T: 95, Kind: trace.Preempt, M: 0, P: 1, G: 2, Line: 7, Text: trace.BySignal},
		{T: 95, Kind: trace.Put, M: trace.None, P: trace.None, G: 2, Q: "global"},
		{T: 95, Kind: trace.Get, M: trace.None, P: trace.None, G: 3, Q: "global"},
		{T: 95, Kind: trace.Run, M: 0, P: 1, G: 3, Line: 6},
		{T: 99, Kind: trace.Preempt, M: 2, P: 0, G: 4, Line: 10, Text: trace.ByCall},
		{T: 99, Kind: trace.Run, M: 2, P: 0, G: 2, Line: 7},
		{T: 99, Kind: trace.Park, M: 0, P: 1, G: 3, Line: 8, Text: "chan receive"},
		{T: 100, Kind: trace.End, M: 2, P: 0, G: trace.None},
	}}
}

// long is a run of more than 2,000 steps on 4 Ps with 40 Gs.
func long() *trace.Log {
	r := rand.New(rand.NewPCG(4, 5))
	s := &toy{
		slice: 50,
		log:   &trace.Log{Header: trace.Header{Schema: trace.Schema, Go: "1.14", Procs: 4, Unit: "ns", Seed: 9, Ring: 256, File: "long.go"}},
		names: []string{"main"}, progs: [][]op{nil},
	}
	for i := range 40 {
		var ops []op
		for range 90 {
			do := []string{"work", "work", "yield", "yield", "sleep", "print", []string{"send", "recv"}[i%2]}[r.IntN(7)]
			ops = append(ops, op{do: do, n: 1 + r.Int64N(40), line: 1 + r.IntN(30), text: fmt.Sprintf("G%d\n", i+2)})
		}
		s.progs = append(s.progs, ops)
		s.names = append(s.names, "f")
		s.progs[0] = append(s.progs[0], op{do: "go", n: int64(i + 1), line: 2})
	}
	s.progs[0] = append(s.progs[0], op{do: "work", n: 4000, line: 3})
	return s.run(100000)
}
