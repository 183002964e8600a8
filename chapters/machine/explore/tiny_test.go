package explore

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"

	"gosched/chapters/machine"
)

// A tiny is a random concurrent program, small enough that all its executions
// can be tried. It is run in two ways: with the machine's variables under the
// explorer, and by an interpreter of its own (see oracle_test.go) that shares no
// code with it.
type tiny struct {
	vars    []varKind
	cells   int
	mutexes int
	notes   int
	threads [][]instr
	spawned int // the last so many threads are started by a spawn
}

type varKind uint8

const (
	aUint32 varKind = iota
	anInt32
	aUint64
	anInt64
	aBool
	aPointer
	varKinds
)

// mask has the bits that a small number keeps in a variable of the kind.
func (k varKind) mask() int64 {
	switch k {
	case aBool:
		return 1
	case aPointer:
		return 3
	}
	return -1
}

type tinyOp uint8

const (
	tLoad tinyOp = iota
	tStore
	tSwap
	tCAS
	tAdd
	tAnd
	tOr
	tLock
	tTryLock
	tUnlock
	tSleep
	tSleepTimeout
	tWakeup
	tClear
	tGet
	tSet
	tAwait    // spins, with a Yield in each round, until the variable is not a
	tAwaitAny // the same for two variables: until v is not a, or n is not b
	tPoll     // looks twice, with a Yield after each look, whether v is not a
	tUnless
	tChoose
	tSpawn
)

var tinyNames = [...]string{"load", "store", "swap", "cas", "add", "and", "or", "lock", "trylock", "unlock", "sleep", "sleepTimeout", "wakeup", "clear", "get", "set", "await", "awaitAny", "poll", "unless", "choose", "spawn"}

const tinyRegs = 2

// An operand is a register, if it is negative (-1-number), or a number.
type operand int8

func (a operand) of(regs []int64) int64 {
	if a < 0 {
		return regs[-1-a]
	}
	return int64(a)
}

func (a operand) String() string {
	if a < 0 {
		return fmt.Sprintf("r%d", -1-a)
	}
	return fmt.Sprint(int(a))
}

// An instr is an instruction: r = op(v, a, b). An unless skips n instructions if
// register r is not a.
type instr struct {
	op   tinyOp
	r, v int
	a, b operand
	n    int
}

func (p *tiny) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "vars %v, %d cells, %d mutexes, %d notes, the last %d threads spawned\n", p.vars, p.cells, p.mutexes, p.notes, p.spawned)
	for i, code := range p.threads {
		fmt.Fprintf(&b, "thread %d:\n", i)
		for pc, in := range code {
			fmt.Fprintf(&b, "  %d %s r%d v%d a=%v b=%v n=%d\n", pc, tinyNames[in.op], in.r, in.v, in.a, in.b, in.n)
		}
	}
	return b.String()
}

// generator makes random programs.
type generator struct {
	*rand.Rand
	p        *tiny
	self     int
	left     int // visible operations that this thread may still get
	polls    int // and looks that it may give up on, so few that each is explored
	timeouts int
}

func generate(r *rand.Rand) *tiny {
	p := &tiny{cells: r.IntN(2), mutexes: r.IntN(3), notes: r.IntN(3)}
	for range 1 + r.IntN(3) {
		p.vars = append(p.vars, varKind(r.IntN(int(varKinds))))
	}
	threads := []int{2, 2, 2, 3, 3, 4}[r.IntN(6)]
	if r.IntN(8) == 0 {
		p.spawned = 1
	}
	ops := []int{0, 0, 6, 4, 3}[threads]
	for i := range threads {
		g := &generator{Rand: r, p: p, self: i, left: 1 + r.IntN(ops), polls: 1, timeouts: 2}
		var code []instr
		for g.left > 0 {
			code = append(code, g.block(2)...)
		}
		if i < p.spawned { // thread 0 starts the last one somewhere
			at := r.IntN(len(code) + 1)
			for at < len(code) && g.inBlock(code, at) {
				at++
			}
			code = append(code[:at:at], append([]instr{{op: tSpawn, v: threads - 1}}, code[at:]...)...)
		}
		p.threads = append(p.threads, code)
	}
	return p
}

// inBlock reports whether an unless before at jumps over at.
func (g *generator) inBlock(code []instr, at int) bool {
	for i, in := range code[:at] {
		if in.op == tUnless && i+in.n >= at {
			return true
		}
	}
	return false
}

func (g *generator) operand() operand {
	if g.IntN(3) == 0 {
		return operand(-1 - g.IntN(tinyRegs))
	}
	return operand(g.IntN(3))
}

// block returns an instruction, or several that belong together.
func (g *generator) block(depth int) []instr {
	g.left--
	in := instr{r: g.IntN(tinyRegs), v: g.IntN(len(g.p.vars)), a: g.operand(), b: g.operand()}
	k := g.p.vars[in.v]
	switch c := g.IntN(100); {
	case c < 18:
		in.op = tLoad
	case c < 32:
		in.op = tStore
	case c < 36:
		in.op = tSwap
	case c < 50:
		in.op = tCAS
	case c < 56 && k < aBool:
		in.op = []tinyOp{tAdd, tAdd, tAnd, tOr}[g.IntN(4)]
	case c < 66 && depth > 0:
		body := g.block(depth - 1)
		in.op, in.a, in.n = tUnless, operand(g.IntN(2)), len(body)
		return append([]instr{in}, body...)
	case c < 80 && g.p.mutexes > 0 && depth > 0:
		return g.critical(in, depth)
	case c < 90 && g.p.notes > 0:
		in.v = g.IntN(g.p.notes)
		switch o := g.IntN(8); {
		case o < 3 && g.self == in.v:
			in.op = tSleep
		case o < 4 && g.self == in.v && g.timeouts > 0:
			g.timeouts--
			in.op = tSleepTimeout
		case o < 5 && g.self == in.v:
			in.op = tClear
		case o < 5:
			in.op = []tinyOp{tSleep, tClear}[g.IntN(2)]
		default:
			in.op = tWakeup
		}
	case c < 93:
		in.op, in.a = tAwait, operand(g.IntN(2))
	case c < 95:
		in.op, in.a, in.b, in.n = tAwaitAny, operand(g.IntN(2)), operand(g.IntN(2)), g.IntN(len(g.p.vars))
	case c < 96 && g.polls > 0:
		g.polls--
		in.op, in.a = tPoll, operand(g.IntN(2))
	case c < 97:
		in.op = tChoose
	case c < 98 && g.p.cells > 0:
		return []instr{g.cell(in)}
	default:
		in.op = tLoad
	}
	return []instr{in}
}

// critical is a critical section. It may be inside of others, in any order, and
// even of itself: deadlocks are outcomes, too.
func (g *generator) critical(in instr, depth int) []instr {
	in.v = g.IntN(g.p.mutexes)
	m := in.v
	var body []instr
	if g.p.cells > 0 && g.IntN(2) == 0 {
		body = append(body, g.cell(in))
	} else {
		body = append(body, g.block(depth-1)...)
	}
	if g.p.cells > 0 && g.IntN(3) == 0 {
		body = append(body, g.cell(in))
	}
	body = append(body, instr{op: tUnlock, v: m})
	if g.IntN(4) == 0 {
		head := []instr{{op: tTryLock, r: in.r, v: m}, {op: tUnless, r: in.r, a: 1, n: len(body)}}
		return append(head, body...)
	}
	return append([]instr{{op: tLock, v: m}}, body...)
}

func (g *generator) cell(in instr) instr {
	in.op, in.v = tGet, 0
	if g.IntN(2) == 0 {
		in.op = tSet
	}
	return in
}

// A variable is an atomic variable of one of the kinds, used with int64.
type variable interface {
	Load() int64
	Store(v int64)
	Swap(v int64) int64
	CompareAndSwap(old, new int64) bool
}

type arithmetic interface {
	Add(v int64) int64
	And(v int64) int64
	Or(v int64) int64
}

type (
	uint32Var  struct{ machine.Uint32 }
	int32Var   struct{ machine.Int32 }
	uint64Var  struct{ machine.Uint64 }
	boolVar    struct{ machine.Bool }
	pointerVar struct{ machine.Pointer[int64] }
)

func (x *uint32Var) Load() int64        { return int64(x.Uint32.Load()) }
func (x *uint32Var) Store(v int64)      { x.Uint32.Store(uint32(v)) }
func (x *uint32Var) Swap(v int64) int64 { return int64(x.Uint32.Swap(uint32(v))) }
func (x *uint32Var) CompareAndSwap(a, b int64) bool {
	return x.Uint32.CompareAndSwap(uint32(a), uint32(b))
}
func (x *uint32Var) Add(v int64) int64 { return int64(x.Uint32.Add(uint32(v))) }
func (x *uint32Var) And(v int64) int64 { return int64(x.Uint32.And(uint32(v))) }
func (x *uint32Var) Or(v int64) int64  { return int64(x.Uint32.Or(uint32(v))) }

func (x *int32Var) Load() int64                    { return int64(x.Int32.Load()) }
func (x *int32Var) Store(v int64)                  { x.Int32.Store(int32(v)) }
func (x *int32Var) Swap(v int64) int64             { return int64(x.Int32.Swap(int32(v))) }
func (x *int32Var) CompareAndSwap(a, b int64) bool { return x.Int32.CompareAndSwap(int32(a), int32(b)) }
func (x *int32Var) Add(v int64) int64              { return int64(x.Int32.Add(int32(v))) }
func (x *int32Var) And(v int64) int64              { return int64(x.Int32.And(int32(v))) }
func (x *int32Var) Or(v int64) int64               { return int64(x.Int32.Or(int32(v))) }

func (x *uint64Var) Load() int64        { return int64(x.Uint64.Load()) }
func (x *uint64Var) Store(v int64)      { x.Uint64.Store(uint64(v)) }
func (x *uint64Var) Swap(v int64) int64 { return int64(x.Uint64.Swap(uint64(v))) }
func (x *uint64Var) CompareAndSwap(a, b int64) bool {
	return x.Uint64.CompareAndSwap(uint64(a), uint64(b))
}
func (x *uint64Var) Add(v int64) int64 { return int64(x.Uint64.Add(uint64(v))) }
func (x *uint64Var) And(v int64) int64 { return int64(x.Uint64.And(uint64(v))) }
func (x *uint64Var) Or(v int64) int64  { return int64(x.Uint64.Or(uint64(v))) }

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (x *boolVar) Load() int64                    { return number(x.Bool.Load()) }
func (x *boolVar) Store(v int64)                  { x.Bool.Store(v&1 != 0) }
func (x *boolVar) Swap(v int64) int64             { return number(x.Bool.Swap(v&1 != 0)) }
func (x *boolVar) CompareAndSwap(a, b int64) bool { return x.Bool.CompareAndSwap(a&1 != 0, b&1 != 0) }

// pointees are what pointers with the numbers 1 to 3 point to.
var pointees = [3]int64{1, 2, 3}

func pointee(v int64) *int64 {
	if v&3 == 0 {
		return nil
	}
	return &pointees[v&3-1]
}

func pointed(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

func (x *pointerVar) Load() int64        { return pointed(x.Pointer.Load()) }
func (x *pointerVar) Store(v int64)      { x.Pointer.Store(pointee(v)) }
func (x *pointerVar) Swap(v int64) int64 { return pointed(x.Pointer.Swap(pointee(v))) }
func (x *pointerVar) CompareAndSwap(a, b int64) bool {
	return x.Pointer.CompareAndSwap(pointee(a), pointee(b))
}

func newVariable(k varKind) variable {
	switch k {
	case aUint32:
		return &uint32Var{}
	case anInt32:
		return &int32Var{}
	case aUint64:
		return &uint64Var{}
	case anInt64:
		return &machine.Int64{}
	case aBool:
		return &boolVar{}
	}
	return &pointerVar{}
}

// An instance is a run of a tiny under the explorer.
type instance struct {
	p       *tiny
	m       *Model
	vars    []variable
	cells   []machine.Cell[int64]
	mutexes []machine.Mutex
	notes   []machine.Note
	regs    [][]int64
	pcs     []int
}

// model returns the model of p, and where its last instance is found.
func (p *tiny) model() (model func(m *Model), last **instance) {
	last = new(*instance)
	return func(m *Model) {
		in := &instance{p: p, m: m, cells: make([]machine.Cell[int64], p.cells), mutexes: make([]machine.Mutex, p.mutexes), notes: make([]machine.Note, p.notes)}
		for _, k := range p.vars {
			in.vars = append(in.vars, newVariable(k))
		}
		for i := range p.threads {
			in.regs = append(in.regs, make([]int64, tinyRegs))
			in.pcs = append(in.pcs, 0)
			if i < len(p.threads)-p.spawned {
				m.Thread(fmt.Sprint(i), func() { in.run(i) })
			}
		}
		*last = in
	}, last
}

func (in *instance) run(id int) {
	regs, code := in.regs[id], in.p.threads[id]
	for pc := 0; pc < len(code); pc++ {
		in.pcs[id] = pc
		i := code[pc]
		r, a, b := &regs[i.r], i.a.of(regs), i.b.of(regs)
		switch i.op {
		case tLoad:
			*r = in.vars[i.v].Load()
		case tStore:
			in.vars[i.v].Store(a)
		case tSwap:
			*r = in.vars[i.v].Swap(a)
		case tCAS:
			*r = number(in.vars[i.v].CompareAndSwap(a, b))
		case tAdd:
			*r = in.vars[i.v].(arithmetic).Add(a)
		case tAnd:
			*r = in.vars[i.v].(arithmetic).And(a)
		case tOr:
			*r = in.vars[i.v].(arithmetic).Or(a)
		case tLock:
			in.mutexes[i.v].Lock()
		case tTryLock:
			*r = number(in.mutexes[i.v].TryLock())
		case tUnlock:
			in.mutexes[i.v].Unlock()
		case tSleep:
			in.notes[i.v].Sleep()
		case tSleepTimeout:
			*r = number(in.notes[i.v].SleepTimeout(5))
		case tWakeup:
			in.notes[i.v].Wakeup()
		case tClear:
			in.notes[i.v].Clear()
		case tGet:
			*r = in.cells[i.v].Get()
		case tSet:
			in.cells[i.v].Set(a)
		case tAwait:
			found := in.vars[i.v].Load()
			for found == a&in.p.vars[i.v].mask() {
				machine.Osyield()
				found = in.vars[i.v].Load()
			}
			*r = found
		case tAwaitAny:
			*r = in.awaitAny(i)
		case tPoll:
			*r = in.poll(i)
		case tUnless:
			if *r != a {
				pc += i.n
			}
		case tChoose:
			*r = int64(in.m.Choose(2))
		case tSpawn:
			machine.Newosproc(fmt.Sprint(i.v), func() { in.run(i.v) })
		}
	}
	in.pcs[id] = len(code)
}

// awaitAny returns 1 if the first variable had changed, 2 if the second one had.
func (in *instance) awaitAny(i instr) int64 {
	for {
		if in.vars[i.v].Load() != int64(i.a)&in.p.vars[i.v].mask() {
			return 1
		}
		if in.vars[i.n].Load() != int64(i.b)&in.p.vars[i.n].mask() {
			return 2
		}
		machine.Osyield()
	}
}

// poll returns 1 if one of its looks found that the variable had changed.
func (in *instance) poll(i instr) int64 {
	for range 2 {
		if in.vars[i.v].Load() != int64(i.a)&in.p.vars[i.v].mask() {
			return 1
		}
		machine.Osyield()
	}
	return 0
}

// state is what can be seen of a run that has ended.
func (in *instance) state() string {
	var vars, cells []int64
	for _, v := range in.vars {
		vars = append(vars, v.Load())
	}
	for i := range in.cells {
		cells = append(cells, in.cells[i].Get())
	}
	return finalState(in.pcs, in.regs, vars, cells)
}

// finalState leaves the registers of threads out that never began.
func finalState(pcs []int, regs [][]int64, vars, cells []int64) string {
	return fmt.Sprint(pcs, regs, vars, cells)
}

func sorted(s map[string]bool) []string {
	var list []string
	for k := range s {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}
