package timeline

import (
	"cmp"
	"slices"
	"strings"

	"gosched/chapters/trace"
)

// A Story is a log folded into steps, one scheduling decision each.
type Story struct {
	Header  trace.Header
	ByM     bool     // the rows are Ms, since the version has no P
	Rows    int      // Ps, or Ms
	Callers []int32  // the Ms that were in a system call without a P, in the order of their numbers, at most maxCallers; none where the rows are Ms
	Reasons []string // what Gs wait for, in the order of first appearance
	Steps   []Step   // the first ones, up to the limit
	Total   int      // steps of the whole log
	Bars    []Bar    // what each row did, in the order in which it ended
}

// A Step is one scheduling decision and the state after it.
type Step struct {
	T      int64  // when it ended, in the header's unit
	Text   string // one sentence
	Row    int    // the P or M that decided; -1 if unknown
	Marks  []Mark // what a reader may look for, but for steals
	Steals []Steal
	Lines  []Line   // the Gs whose line changed
	Output []Output // what was written in it
	State  State
}

// A Mark says that a step has an event of a kind that a reader may look for.
type Mark struct {
	What What
	Row  int // where it happened; -1 if unknown
}

// What is the kind of a Mark. It is also how the script knows it.
type What string

const (
	Parks     What = "p" // a G parks
	Preempts  What = "x" // a G is preempted
	Asks      What = "a" // a G is asked to stop
	Signals   What = "i" // a signal hits an M that runs a G
	Calls     What = "c" // a G enters a system call
	HandsOff  What = "h" // an M gives its P away, since it blocks or ends
	Retakes   What = "r" // the monitor takes a P from an M in a system call
	GrowStack What = "g" // the stack of a G grows
)

// A Steal is the move of Gs from the run queue of one P, which held Of, to
// another P.
type Steal struct {
	To, From, Of int
	Gs           []int64
}

// A Line says that G is at a line of the source; 0 when it has ended.
type Line struct {
	G    int64
	Line int
}

// Output is text written to a file descriptor.
type Output struct {
	Fd   int64
	Text string
}

// A State is what every row and every queue holds.
type State struct {
	Rows           []Row
	Global         Queue   // the global queue; the only one where there is no P
	Waiting        []Queue // parked Gs, by index of Story.Reasons
	Asleep         Queue   // Ms that sleep, in the order in which they fell asleep
	Polling        Queue   // Ms that wait in the netpoller, in the order in which they began to
	Created, Ended int     // Gs so far
}

// A Row is the state of a P, or of an M where there is no P.
type Row struct {
	Doing Doing
	G     int64 // that runs here, or is in a system call and keeps the P; 0 if none
	M     int64 // that has the P; -1 if none
	Next  int64 // runnext; 0 if empty
	Queue Queue // the run queue of the P
}

// Doing says what a row does.
type Doing int

const (
	Absent     Doing = iota // not made yet, or a P that is dead
	Idle                    // a P without M, or an M asleep
	Scheduling              // between two Gs
	Searching               // spinning: looking for work in the queues of others
	Running                 // a G runs
	Calling                 // a G is in a system call
	Stopped                 // a P while the world is stopped; P or M when the program has ended
	Polling                 // an M waits in the netpoller
)

// A Queue is the front of a list of Gs: its length and its first elements, at
// most shown.
type Queue struct {
	Len  int
	Head []int64
}

// shown bounds the elements of a Queue that are kept: more do not fit on a
// screen, and a queue of thousands must not make a page of megabytes.
const shown = 24

// A Bar is a stretch in which a row did one thing: G ran there, or was in a
// system call, or the row was idle or searching. It covers the steps From to
// To-1. The rows behind those of the Ps are the Callers: there G is in a system call, and
// its M has no P.
type Bar struct {
	Row      int
	Doing    Doing
	G        int64
	From, To int
	T0, T1   int64
	End      trace.Kind // Park, Exit, Preempt, Signal (which preempted), Sysexit (without a P), …; "" where nothing is to be marked
}

// Bounds on what an odd log can make us build.
const (
	maxRows    = 1024
	maxCallers = 24
	maxOutput  = 64 << 10 // bytes
)

// What waits for something that is not the Text of a Park.
const (
	inSyscall = "system call"
	forItsM   = "its M"
)

// Fold folds log into steps and keeps the first limit of them (all if limit is
// 0). It accepts any log: on real threads an event of one M may stand after a
// later one of another, and then the later one wins.
func Fold(log *trace.Log, limit int) *Story {
	f := newFolder(log)
	for events := log.Events; len(events) > 0; {
		n := stepLen(events)
		if limit <= 0 || len(f.story.Steps) < limit {
			f.step(events[:n])
		}
		f.story.Total++
		events = events[n:]
	}
	f.finish()
	return f.story
}

// stepLen returns how many events, from the first on, make one step. A step
// ends when a G starts to run, and when the log ends. It also ends before a
// decision of another M, after a go statement or a G's waking of others, with what
// these entail, and when an M has fallen asleep and nothing happens until one wakes. A
// system call, the return from it, the monitor's taking of a P and the growth of a stack
// each begin a step, and a request to stop ends one, so that each can be seen.
func stepLen(events []trace.Event) int {
	var last *trace.Event // the last decision
	added := false        // it made a G runnable, while another one runs on
	for i := range events {
		e := &events[i]
		if added && !entailed(e) && !(e.Kind == trace.Ready && last.Kind == trace.Ready && e.By == last.By) {
			return i
		}
		if i > 0 && events[i-1].Kind == trace.Idle && (e.Kind == trace.Wake || e.Kind == trace.Fire) {
			return i
		}
		if i > 0 && e.Kind == trace.Stack && !alike(events[i-1], *e) || last != nil && (beginsStep(events[i:]) || last.Kind == trace.Ask && e.Kind != trace.Ask && decides(e.Kind)) {
			return i
		}
		if last != nil && e.M != last.M && (decides(e.Kind) || e.Kind == trace.Unspin) {
			return i
		}
		if !decides(e.Kind) {
			continue
		}
		adds := e.Kind == trace.Create || e.Kind == trace.Ready && e.By > 0
		if last != nil && adds && !added {
			return i
		}
		last, added = e, adds
		if e.Kind == trace.Run || e.Kind == trace.End {
			return i + 1
		}
	}
	return len(events)
}

// beginsStep reports whether a step that has a decision ends before the first of events.
func beginsStep(events []trace.Event) bool {
	switch e := events[0]; e.Kind {
	case trace.Syscall, trace.Sysexit:
		return true
	case trace.Handoff:
		return e.Text == trace.Retaken
	case trace.Acquire: // the P with which it returns
		return len(events) > 1 && events[1].Kind == trace.Sysexit && events[1].M == e.M
	}
	return false
}

// decides reports whether an event of kind k is a decision of its M, and not
// housekeeping around one.
func decides(k trace.Kind) bool {
	switch k {
	case trace.Create, trace.Run, trace.Yield, trace.Ask, trace.Signal, trace.Preempt, trace.Park, trace.Ready, trace.Exit,
		trace.Syscall, trace.Sysexit, trace.Steal, trace.Handoff, trace.Stop, trace.Start, trace.Stack, trace.End:
		return true
	}
	return false
}

// entailed reports whether e, which comes after a G was made runnable, belongs
// to that: the G is queued and somebody may be woken for it.
func entailed(e *trace.Event) bool {
	switch e.Kind {
	case trace.Put, trace.Wake, trace.NewM, trace.Acquire, trace.Spin, trace.Idle, trace.Release, trace.Note:
		return true
	}
	return false
}

// folder holds the state while events are applied to it.
type folder struct {
	story  *Story
	rows   []row
	gs     map[int64]*g
	ms     map[int32]*m
	global []int64
	wait   [][]int64 // by index of story.Reasons
	asleep []int64
	polls  []int64 // Ms in the netpoller
	halts  bool    // the world is stopped, or is to stop: a P that no M holds is stopped, and not idle
	away   []Bar   // of Gs in system calls whose M has no P; Row is the M
	state  struct{ created, ended int }
	output int // bytes so far
	now    int64
	cur    *Step // the step being made
}

type row struct {
	doing Doing
	g     int64
	m     int32
	next  int64
	queue []int64

	// The bar that is open.
	from int
	t0   int64
}

type g struct {
	at    place
	where int // the row, or the index of the reason
	away  int // in a system call without a P: 1 + the index of its bar in away
	line  int
	ended bool
}

type m struct {
	p        int32
	spinning bool
	asleep   bool
	polls    bool // in the netpoller
}

// place says in which list a G stands, so that it stands in one at most.
type place int

const (
	nowhere place = iota
	onRow
	inQueue
	inNext
	inGlobal
	waits
)

func newFolder(log *trace.Log) *folder {
	h := log.Header
	f := &folder{story: &Story{Header: h, ByM: h.Procs <= 0}, gs: map[int64]*g{}, ms: map[int32]*m{}}
	if !f.story.ByM {
		f.grow(min(h.Procs, maxRows))
		return f
	}
	// M0 is there from the start; so are all, if the log makes none.
	n := 1
	if !slices.ContainsFunc(log.Events, func(e trace.Event) bool { return e.Kind == trace.NewM }) {
		n = max(1, min(h.Ms, maxRows))
	}
	f.grow(n)
	for i := range f.rows {
		f.rows[i].doing = Scheduling
	}
	return f
}

// grow makes rows up to n of them. A P is idle until an M takes it; an M is
// absent until it is made.
func (f *folder) grow(n int) {
	for len(f.rows) < n {
		r := row{m: trace.None, doing: Idle, from: 1}
		if f.story.ByM {
			r.doing = Absent
		}
		f.rows = append(f.rows, r)
	}
}

// step applies the events of one step and records it.
func (f *folder) step(events []trace.Event) {
	f.story.Steps = append(f.story.Steps, Step{Row: -1})
	f.cur = &f.story.Steps[len(f.story.Steps)-1]
	events = slices.Clone(events)
	for i := range events {
		e := &events[i]
		f.now = max(f.now, e.T)
		if !f.story.ByM && e.P < 0 && e.M >= 0 {
			e.P = f.mOf(e.M).p
		}
		if decides(e.Kind) {
			f.cur.Row = f.rowOf(e)
		}
		f.apply(e)
		if f.halts && e.Text == "" && (e.Kind == trace.Idle || e.Kind == trace.Release || e.Kind == trace.Handoff) {
			e.Text = isStopped
		}
	}
	f.cur.T = f.now
	f.cur.Text = narrator{byM: f.story.ByM}.sentence(events)
	f.cur.State = f.snapshot()
}

// n is the number of the step being made; the first is 1.
func (f *folder) n() int { return len(f.story.Steps) }

// rowOf returns the row that e is about, -1 if there is none.
func (f *folder) rowOf(e *trace.Event) int {
	id := e.P
	if f.story.ByM {
		id = e.M
	}
	if id < 0 || id >= maxRows {
		return -1
	}
	f.grow(int(id) + 1)
	return int(id)
}

func (f *folder) mOf(id int32) *m {
	if f.ms[id] == nil {
		f.ms[id] = &m{p: trace.None}
	}
	return f.ms[id]
}

func (f *folder) gOf(id int64) *g {
	if f.gs[id] == nil {
		f.gs[id] = &g{}
		f.state.created++
	}
	return f.gs[id]
}

// apply changes the state as e says.
func (f *folder) apply(e *trace.Event) {
	r := f.rowOf(e)
	switch e.Kind {
	case trace.Create:
		f.create(e)
	case trace.Put:
		f.put(e, r)
	case trace.Get:
		if e.G > 0 && f.gOf(e.G).at != onRow {
			f.remove(e.G)
		}
	case trace.Run:
		f.run(e, r)
	case trace.Yield:
		f.stop(e, "")
	case trace.Ask:
		f.mark(Asks, r)
	case trace.Signal:
		f.mark(Signals, r)
		f.at(e.G, e.Line)
	case trace.Preempt:
		f.mark(Preempts, r)
		f.stop(e, "")
	case trace.Park:
		f.mark(Parks, r)
		f.stop(e, cmp.Or(e.Text, "unknown"))
	case trace.Exit:
		if f.stop(e, "") {
			f.end(e.G)
		}
	case trace.Ready:
		if e.G > 0 && f.gOf(e.G).at == waits {
			f.remove(e.G)
		}
		f.at(e.By, e.Line)
	case trace.Syscall:
		f.mark(Calls, r)
		f.at(e.G, e.Line)
		if gp := f.gs[e.G]; gp != nil && gp.at == onRow {
			f.turn(gp.where, Calling, e.G, e.Kind)
		}
	case trace.Sysexit:
		f.sysexit(e)
	case trace.Steal:
		f.steal(e, r)
	case trace.Spin, trace.Unspin:
		f.mOf(e.M).spinning = e.Kind == trace.Spin
		f.settle(r)
	case trace.Idle:
		f.sleep(e.M, e.Text == trace.Polling)
	case trace.NewM:
		f.wake(e.M)
	case trace.Wake:
		f.wake(e.M)
		if r >= 0 && !f.story.ByM && f.rows[r].doing != Idle {
			e.P, r = trace.None, -1 // somebody has that P: it is not what the M wakes up for
		}
		f.acquire(e.M, r)
	case trace.Acquire:
		f.acquire(e.M, r)
	case trace.Release:
		f.release(r)
	case trace.Handoff:
		switch e.Text {
		case trace.Retaken:
			f.mark(Retakes, r)
		case trace.Halted:
		default:
			f.mark(HandsOff, r)
		}
		f.release(r)
	case trace.Stop:
		f.halts = true
		f.settleAll()
	case trace.Start:
		f.halts = false
		f.settleAll()
		f.resize(int(e.N))
	case trace.Stack:
		f.mark(GrowStack, r)
	case trace.Note:
		f.at(e.G, e.Line)
	case trace.Write:
		f.at(e.G, e.Line)
		f.write(e)
	case trace.End:
		for i := range f.rows {
			f.leave(i, "")
			f.turn(i, Stopped, 0, "")
		}
	}
}

// mark notes, once for each row, what a reader may look for in this step.
func (f *folder) mark(what What, row int) {
	if m := (Mark{what, row}); !slices.Contains(f.cur.Marks, m) {
		f.cur.Marks = append(f.cur.Marks, m)
	}
}

func (f *folder) create(e *trace.Event) {
	f.at(e.By, e.Line)
	if e.G <= 0 {
		return
	}
	gp := f.gOf(e.G)
	if gp.ended { // its number is used again
		f.remove(e.G)
		*gp = g{}
		f.state.created++
	}
}

// put puts e.G into the queue that e names. If G runs on another M by now, the
// event came late and is dropped.
func (f *folder) put(e *trace.Event, r int) {
	if e.G <= 0 || f.late(e) {
		return
	}
	f.remove(e.G)
	gp := f.gOf(e.G)
	switch {
	case e.Q == "idle":
		f.park(e.G, forItsM)
	case e.Q == "next" && r >= 0 && !f.story.ByM:
		if old := f.rows[r].next; old != 0 {
			f.remove(old)
			f.push(old, r, false)
		}
		gp.at, gp.where = inNext, r
		f.rows[r].next = e.G
	case e.Q == "local" && r >= 0 && !f.story.ByM:
		f.push(e.G, r, e.Head)
	default:
		gp.at = inGlobal
		f.global = insert(f.global, e.G, e.Head)
	}
}

func (f *folder) push(id int64, r int, head bool) {
	gp := f.gOf(id)
	gp.at, gp.where = inQueue, r
	f.rows[r].queue = insert(f.rows[r].queue, id, head)
}

func insert(q []int64, id int64, head bool) []int64 {
	if head {
		return slices.Insert(q, 0, id)
	}
	return append(q, id)
}

// remove takes a G out of the one list in which it stands.
func (f *folder) remove(id int64) {
	gp := f.gOf(id)
	switch gp.at {
	case onRow:
		f.leave(gp.where, "")
	case inQueue:
		cut(&f.rows[gp.where].queue, id)
	case inNext:
		f.rows[gp.where].next = 0
	case inGlobal:
		cut(&f.global, id)
	case waits:
		cut(&f.wait[gp.where], id)
		f.comeBack(gp, "")
	}
	gp.at = nowhere
}

func cut(q *[]int64, id int64) {
	if i := slices.Index(*q, id); i == 0 {
		*q = (*q)[1:]
	} else if i > 0 {
		*q = slices.Delete(*q, i, i+1)
	}
}

func (f *folder) run(e *trace.Event, r int) {
	if e.G <= 0 || r < 0 {
		return
	}
	f.remove(e.G)
	f.acquire(e.M, r)
	f.leave(r, "")
	gp := f.gOf(e.G)
	gp.at, gp.where, gp.ended = onRow, r, false
	f.at(e.G, e.Line)
	f.turn(r, Running, e.G, "")
}

// late reports whether e, which is about a G that its M held, came after that
// G began to run on another M. An event of an unknown M is taken as it stands.
func (f *folder) late(e *trace.Event) bool {
	gp := f.gOf(e.G)
	return gp.at == onRow && e.M >= 0 && f.rows[gp.where].m != e.M
}

// stop ends the run of e.G; it then waits for reason, or is nowhere. It returns
// false, and does nothing, if the event came late.
func (f *folder) stop(e *trace.Event, reason string) bool {
	if e.G <= 0 || f.late(e) {
		return false
	}
	f.at(e.G, e.Line)
	if gp := f.gOf(e.G); gp.at == onRow {
		end := e.Kind
		if end == trace.Preempt && e.Text == trace.BySignal {
			end = trace.Signal
		}
		f.leave(gp.where, end)
	} else {
		f.remove(e.G)
	}
	if reason != "" {
		f.park(e.G, reason)
	}
	return true
}

func (f *folder) park(id int64, reason string) {
	i := slices.Index(f.story.Reasons, reason)
	if i < 0 {
		i = len(f.story.Reasons)
		f.story.Reasons = append(f.story.Reasons, reason)
		f.wait = append(f.wait, nil)
	}
	gp := f.gOf(id)
	gp.at, gp.where = waits, i
	f.wait[i] = append(f.wait[i], id)
}

func (f *folder) end(id int64) {
	gp := f.gOf(id)
	if gp.ended {
		return
	}
	gp.ended = true
	f.state.ended++
	if gp.line != 0 {
		gp.line = 0
		f.cur.Lines = append(f.cur.Lines, Line{id, 0})
	}
}

func (f *folder) sysexit(e *trace.Event) {
	gp := f.gs[e.G]
	if gp == nil {
		return
	}
	switch gp.at {
	case onRow:
		f.turn(gp.where, Running, e.G, "")
	case waits:
		if e.P < 0 {
			f.comeBack(gp, trace.Sysexit)
		}
		f.remove(e.G)
	}
}

// goAway begins the bar of a G that is in a system call while the M with this id loses its P.
func (f *folder) goAway(gp *g, id int64, m int32) {
	f.away = append(f.away, Bar{Row: int(m), Doing: Calling, G: id, From: f.n(), T0: f.now})
	gp.away = len(f.away)
}

// comeBack ends that bar, if there is one.
func (f *folder) comeBack(gp *g, end trace.Kind) {
	if gp.away == 0 {
		return
	}
	b := &f.away[gp.away-1]
	b.To, b.T1, b.End = f.n(), f.now, end
	gp.away = 0
}

func (f *folder) steal(e *trace.Event, r int) {
	s := Steal{To: r, From: int(e.From), Of: int(e.N)}
	for _, id := range e.Gs {
		if id <= 0 || f.late(&trace.Event{G: id, M: e.M}) {
			continue
		}
		s.Gs = append(s.Gs, id)
		f.remove(id)
		if r >= 0 {
			f.push(id, r, false)
		}
	}
	if r >= 0 && !f.story.ByM && e.From >= 0 && e.From < maxRows && len(s.Gs) > 0 {
		f.grow(int(e.From) + 1)
		f.cur.Steals = append(f.cur.Steals, s)
	}
}

// turn makes row r do something else, and so ends its bar.
func (f *folder) turn(r int, doing Doing, id int64, end trace.Kind) {
	p := &f.rows[r]
	if p.doing == doing && p.g == id {
		return
	}
	f.bar(r, end, f.n())
	p.doing, p.g, p.from, p.t0 = doing, id, f.n(), f.now
}

// bar records what row r did until step to, if it is worth a bar.
func (f *folder) bar(r int, end trace.Kind, to int) {
	p := &f.rows[r]
	switch p.doing {
	case Absent, Scheduling, Stopped:
		return
	}
	if p.from < to {
		f.story.Bars = append(f.story.Bars, Bar{Row: r, Doing: p.doing, G: p.g, From: p.from, To: to, T0: p.t0, T1: f.now, End: end})
	}
}

// leave takes the G off row r, if one is there.
func (f *folder) leave(r int, end trace.Kind) {
	id := f.rows[r].g
	if id == 0 {
		return
	}
	f.gs[id].at = nowhere
	f.turn(r, Scheduling, 0, end)
	f.settle(r)
}

// settle sets what a row without a G does, from what its M does.
func (f *folder) settle(r int) {
	if r < 0 || f.rows[r].g != 0 {
		return
	}
	doing, id := Scheduling, f.rows[r].m
	if f.story.ByM {
		id = int32(r)
	}
	switch mp := f.ms[id]; {
	case id == trace.None && f.halts:
		doing = Stopped
	case id == trace.None || mp != nil && mp.asleep:
		doing = Idle
	case mp != nil && mp.polls:
		doing = Polling
	case mp != nil && mp.spinning:
		doing = Searching
	}
	f.turn(r, doing, 0, "")
}

// settleAll is settle for all Ps that there are: what one without an M does depends on
// whether the world is stopped.
func (f *folder) settleAll() {
	for r := range f.rows {
		if !f.story.ByM && f.rows[r].doing != Absent {
			f.settle(r)
		}
	}
}

func (f *folder) acquire(id int32, r int) {
	if r < 0 {
		return
	}
	f.wake(id)
	if f.rows[r].m == id {
		return
	}
	if f.story.ByM {
		f.rows[r].m = id
		f.settle(r)
		return
	}
	mp := f.mOf(id)
	if mp.p >= 0 {
		f.release(int(mp.p))
	}
	f.release(r)
	mp.p, f.rows[r].m = int32(r), id
	f.settle(r)
}

// release parts row r from its M. A G in a system call stays with the M.
func (f *folder) release(r int) {
	if r < 0 || f.story.ByM {
		return
	}
	if p := &f.rows[r]; p.doing == Calling {
		id, m := p.g, p.m
		f.leave(r, "")
		f.park(id, inSyscall)
		if m >= 0 {
			f.goAway(f.gs[id], id, m)
		}
	} else {
		f.leave(r, "")
	}
	if id := f.rows[r].m; id >= 0 {
		f.mOf(id).p = trace.None
		f.rows[r].m = trace.None
	}
	f.settle(r)
}

// resize makes n Ps of those there are. What the others had in their queues is on the
// global one: the log says so before or after.
func (f *folder) resize(n int) {
	if f.story.ByM {
		return
	}
	f.grow(min(n, maxRows))
	for r := range f.rows {
		if r >= n {
			f.release(r)
			f.turn(r, Absent, 0, "")
		} else if f.rows[r].doing == Absent {
			f.turn(r, Idle, 0, "")
		}
	}
}

// sleep lets an M sleep, or wait in the netpoller if polls.
func (f *folder) sleep(id int32, polls bool) {
	mp := f.mOf(id)
	if id < 0 || mp.asleep || mp.polls {
		return
	}
	if mp.p >= 0 {
		f.release(int(mp.p))
	}
	mp.asleep, mp.polls, mp.spinning = !polls, polls, false
	if polls {
		f.polls = append(f.polls, int64(id))
	} else {
		f.asleep = append(f.asleep, int64(id))
	}
	if f.story.ByM && id < maxRows {
		f.grow(int(id) + 1)
		f.leave(int(id), "")
		f.settle(int(id))
	}
}

func (f *folder) wake(id int32) {
	if mp := f.mOf(id); mp.asleep || mp.polls {
		mp.asleep, mp.polls = false, false
		cut(&f.asleep, int64(id))
		cut(&f.polls, int64(id))
	}
	if f.story.ByM && id >= 0 && id < maxRows {
		f.grow(int(id) + 1)
		f.settle(int(id))
	}
}

// at records the line at which a G is.
func (f *folder) at(id int64, line int) {
	if id <= 0 || line <= 0 {
		return
	}
	if gp := f.gOf(id); gp.line != line {
		gp.line = line
		f.cur.Lines = append(f.cur.Lines, Line{id, line})
	}
}

func (f *folder) write(e *trace.Event) {
	room := maxOutput - f.output
	if room <= 0 || e.Text == "" {
		return
	}
	text := e.Text
	if len(text) > room {
		text = strings.ToValidUTF8(text[:room], "") + "\n(the rest of the output is not kept)\n"
	}
	f.output += len(e.Text)
	out := &f.cur.Output
	if n := len(*out); n > 0 && (*out)[n-1].Fd == e.N {
		(*out)[n-1].Text += text
		return
	}
	*out = append(*out, Output{e.N, text})
}

// finish closes the bars that are open at the end.
func (f *folder) finish() {
	for r := range f.rows {
		f.bar(r, "", f.n()+1)
	}
	f.story.Rows = len(f.rows)
	for _, b := range f.away {
		f.story.Callers = append(f.story.Callers, int32(b.Row))
	}
	slices.Sort(f.story.Callers)
	f.story.Callers = slices.Compact(f.story.Callers)
	f.story.Callers = f.story.Callers[:min(len(f.story.Callers), maxCallers)]
	for _, b := range f.away {
		if b.To == 0 { // it was in the call to the end
			b.To, b.T1 = f.n()+1, f.now
		}
		if i := slices.Index(f.story.Callers, int32(b.Row)); i >= 0 && b.From < b.To {
			b.Row = f.story.Rows + i
			f.story.Bars = append(f.story.Bars, b)
		}
	}
}

func (f *folder) snapshot() State {
	s := State{Global: front(f.global), Asleep: front(f.asleep), Polling: front(f.polls), Created: f.state.created, Ended: f.state.ended}
	for _, r := range f.rows {
		s.Rows = append(s.Rows, Row{Doing: r.doing, G: r.g, M: int64(r.m), Next: r.next, Queue: front(r.queue)})
	}
	for _, w := range f.wait {
		s.Waiting = append(s.Waiting, front(w))
	}
	return s
}

func front(q []int64) Queue {
	return Queue{len(q), slices.Clone(q[:min(len(q), shown)])}
}
