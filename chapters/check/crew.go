package check

import (
	"encoding/binary"
	"fmt"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// A Crew is a scheduler in a model: its Ms are threads of the model, and a G is a list
// of calls of the parts under test.
//
// It judges every publication as if the other side acted at once. A G that is made ready
// has an M of its own, from that moment on, which runs it: its continuation, its other
// steps, to its end; then its stack is freed, its fields are written as those of the next
// G that it becomes, and its sudogs are acquired by somebody else. So whoever has made it
// ready, or has parked it, and still reads or writes anything of it, is in a race with
// that M, which the explorer reports with both lines. Nothing has to go wrong for that.
//
// Loop, Submission and Deadlock are the Crew's own. A suite that tests one of them puts it
// back, from Parts.
type Crew struct {
	*explore.Model
	S     *gmp.Sched
	Parts gmp.Parts // those of the version under test
	// Recovers lets a G that panics go on with its next Step, which may call Recover.
	Recovers bool
	// Place, if it is set, names more addresses of the machine's memory for a report, with
	// "" for those that it does not know.
	Place func(addr machine.Addr) string

	// Forgotten, if it is set, says in words why gp, which does not wait, has not come to
	// its end, "" if others say it. It is for suites in which a G that can run does not run
	// at once.
	Forgotten func(gp *gmp.G) string

	gs     []*crewG
	ms     int64
	queues bool                    // Queues was called
	words  map[machine.Addr]string // the names of those of Word
	alloc  *machine.Thread         // makes them
	lent   int                     // sudogs acquired and not released
}

// A Step is one thing that a G does, mostly a call of a part, in the name of gp, which
// runs on mp. If gp parks or yields in it, the next step comes when it runs again, on
// another M, and after its continuation.
type Step func(mp *gmp.M, gp *gmp.G)

// A crewG is a G of the model.
type crewG struct {
	gp       *gmp.G
	steps    []Step
	done     int    // steps that have begun
	on       *gmp.M // that runs it
	over     bool
	mayWait  bool
	panicked string
}

// Crew explores a model with Ms and Gs. play makes it anew for each execution: it makes
// channels and the like, adds Gs with Go and Parked, and says with Check what must hold at
// the end. A G that waits when all Ms have stopped is a failure, unless MayWait says that
// it may.
func (t *T) Crew(opt explore.Options, play func(c *Crew)) explore.Result {
	t.Helper()
	return t.Explore(opt, func(m *explore.Model) {
		s, err := gmp.New(t.version, crewProgram, gmp.Options{Log: modelLog{m}, Machine: machine.Options{MemBytes: machine.MinMemBytes}})
		if err != nil {
			panic(err)
		}
		c := &Crew{Model: m, S: s, Parts: s.Parts}
		s.Loop, s.Submission, s.Deadlock = crewLoop{c}, crewSubmission{c}, AllMaySleep{}
		s.Sudogs = crewSudogs{c.Parts.Sudogs, c}
		s.OnPanic(func(gp *gmp.G, msg string) { c.of(gp).panicked = msg })
		m.Show(Show)
		m.ShowAddr(c.place)
		m.Check(c.everyoneIsDone)
		play(c)
	})
}

// CrewFn is a closure, for those who make a G in a model by a go statement: there is no
// instruction behind it, at CrewEntry, but it looks like any other.
const (
	CrewFn    machine.Addr = machine.NilPage
	CrewEntry machine.PC   = 5
)

// crewProgram is the program of a Crew: no code, and one closure.
var crewProgram = &machine.Program{
	Data:   binary.LittleEndian.AppendUint64(nil, uint64(CrewEntry)),
	Goexit: CrewEntry + 2,
}

// Go adds an M that runs a new G with these steps from the beginning on.
func (c *Crew) Go(steps ...Step) *gmp.G {
	mp, gp := c.NewM(), c.newG(gmp.Grunning, steps)
	Running(mp, gp)
	c.of(gp).on = mp
	c.Thread(MName(mp), func() { c.mstart(mp) })
	return gp
}

// Loops is Go for an M that goes on when its G parks or ends: it schedules, and may be
// asleep at the end. It is for suites that put back Loop.
func (c *Crew) Loops(steps ...Step) *gmp.G {
	mp, gp := c.NewM(), c.newG(gmp.Grunning, steps)
	Running(mp, gp)
	c.Daemon(MName(mp), func() { c.Run(mp) })
	return gp
}

// Run is the life of an M, which schedules first if it has no G.
func (c *Crew) Run(mp *gmp.M) {
	if mp.Curg.Get() == nil {
		c.S.Schedule(mp)
	}
	c.mstart(mp)
}

// Runnable makes a G that can run, on no queue, and does these steps then.
func (c *Crew) Runnable(steps ...Step) *gmp.G { return c.newG(gmp.Grunnable, steps) }

// Began is Go for a G that does its first step before the model begins. If it parks in
// it, it has no M until somebody makes it ready.
func (c *Crew) Began(steps ...Step) *gmp.G {
	mp, gp := c.NewM(), c.newG(gmp.Grunning, steps)
	Running(mp, gp)
	g := c.of(gp)
	g.on, g.done = mp, 1
	steps[0](mp, gp)
	if mp.Curg.Get() == gp {
		c.Thread(MName(mp), func() { c.mstart(mp) })
	}
	return gp
}

// Parked makes a G that waits, and does these steps when somebody makes it ready.
func (c *Crew) Parked(steps ...Step) *gmp.G { return c.newG(gmp.Gwaiting, steps) }

// Waits makes a G that has done its first step before the model begins, and parked in it.
// If it has not, it goes on with the others as the model begins.
func (c *Crew) Waits(steps ...Step) *gmp.G {
	mp, gp := c.NewM(), c.newG(gmp.Grunning, steps)
	Running(mp, gp)
	g := c.of(gp)
	g.on, g.done = mp, 1
	if steps[0](mp, gp); mp.Curg.Get() == gp {
		c.Thread(MName(mp), func() { c.mstart(mp) })
	}
	return gp
}

// MayWait says that some Gs may still wait at the end.
func (c *Crew) MayWait(gs ...*gmp.G) {
	for _, gp := range gs {
		c.of(gp).mayWait = true
	}
}

// Ended reports, in a Check, whether gp has done all its steps.
func (c *Crew) Ended(gp *gmp.G) bool { return c.of(gp).over }

// Panicked is, in a Check, with what gp has panicked, "" if it has not.
func (c *Crew) Panicked(gp *gmp.G) string { return c.of(gp).panicked }

// Queues lets each M have a P of its own, and each G that is put on a queue, that of a P or
// the global one, be taken at once by an M that runs it, to its end: with these, the parts
// that make Gs ready can be put back from Parts. Call it first.
func (c *Crew) Queues() {
	c.queues = true
	c.S.RunQueue, c.S.GlobalQueue = crewRunQueue{c.S.RunQueue, c}, crewGlobalQueue{c.S.GlobalQueue, c}
	c.S.Goroutines = crewGoroutines{c.S.Goroutines, c}
}

// TakeAtOnce puts Submission back, and for each G that is put on the global queue it adds an
// M, which takes one from there, under s.Lock, and runs it. There are as many as Gs.
func (c *Crew) TakeAtOnce() {
	c.S.Submission = c.Parts.Submission
	c.S.GlobalQueue = crewQueue{c.Parts.GlobalQueue, c}
}

// Recover returns with what gp has panicked, "" if it has not, and forgets it, as a
// deferred call does. It is for a Step of gp.
func (c *Crew) Recover(gp *gmp.G) string {
	g := c.of(gp)
	msg := g.panicked
	g.panicked = ""
	return msg
}

// NewM makes an M without a thread.
func (c *Crew) NewM() *gmp.M {
	c.ms++
	mp := gmp.NewM(c.ms - 1)
	mp.Thread = c.S.Machine.NewThread()
	if c.queues {
		Holding(mp, gmp.NewP(int32(mp.ID), 2))
	}
	return mp
}

// What stands on the stack of a G, counted from its high end: the arguments of the
// operation that is under way, and below them words for values.
const (
	crewArgs  = 64
	crewSlot  = 1152
	crewSlots = 4
	crewSP    = 1280
)

func (c *Crew) newG(st uint32, steps []Step) *gmp.G {
	s := c.S
	gp := s.Malg(gmp.StartingStack)
	hi := gp.Stack.Get().Hi
	gp.Goid.Set(s.Goidgen.Add(1))
	gp.Sched.SP, gp.Sched.Args = hi-crewSP, hi-crewArgs
	gp.Atomicstatus.Store(st)
	s.Allgadd(gp)
	c.gs = append(c.gs, &crewG{gp: gp, steps: steps})
	return gp
}

// Slot is the address of a word on the stack of gp: what it sends, or where it receives.
func (c *Crew) Slot(gp *gmp.G) machine.Addr { return gp.Stack.Get().Hi - crewSlot }

// SlotOf is the address of slot i of gp, for one that has several values; slot 0 is Slot.
func (c *Crew) SlotOf(gp *gmp.G, i int) machine.Addr { return c.Slot(gp) + machine.Addr(8*i) }

// Word makes a word of the machine's memory that is on no stack, and is 0. Reports call
// it by its name.
func (c *Crew) Word(name string) machine.Addr {
	if c.words == nil {
		c.words, c.alloc = map[machine.Addr]string{}, c.S.Machine.NewThread()
	}
	addr, ok := c.alloc.Alloc(8)
	if !ok {
		panic("the machine of a model has no memory left")
	}
	c.words[addr] = name
	return addr
}

// Value is what stands in gp's slot. It is for a Step of gp.
func (c *Crew) Value(gp *gmp.G) uint64 { return c.S.Machine.Word(c.Slot(gp)) }

// SetValue writes into gp's slot. It is for a Step of gp.
func (c *Crew) SetValue(gp *gmp.G, v uint64) { c.S.Machine.SetWord(c.Slot(gp), v) }

// Arg is word i of the arguments of gp's operation, where its results are. It is for a Step
// of gp.
func (c *Crew) Arg(gp *gmp.G, i int) uint64 {
	return c.S.Machine.Word(gp.Sched.Args + machine.Addr(8*i))
}

// SetArg writes word i of the arguments of gp's operation. It is for a Step of gp.
func (c *Crew) SetArg(gp *gmp.G, i int, v uint64) {
	c.S.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v)
}

// Free checks that a lock is not held at the end.
func (c *Crew) Free(name string, mu Lock) {
	c.Check(func() {
		if !mu.TryLock() {
			c.Errorf("all Ms are done, and %s is still locked", name)
			return
		}
		mu.Unlock()
	})
}

// of finds the G of the model.
func (c *Crew) of(gp *gmp.G) *crewG {
	for _, g := range c.gs {
		if g.gp == gp {
			return g
		}
	}
	panic("a G that the model has not made: " + Name(gp))
}

// mstart is the life of an M: it runs its G until that parks or ends, and then the one
// that Schedule gives it, if any.
func (c *Crew) mstart(mp *gmp.M) {
	_, own := c.S.Loop.(crewLoop) // which knows on which M each G is
	for gp := mp.Curg.Get(); gp != nil; gp = mp.Curg.Get() {
		g := c.of(gp)
		if own && g.on != mp {
			c.Errorf("%[1]s has let go of %[2]s, which others may run now, but %[1]s.Curg still points to it, so %[1]s goes on running it as well", MName(mp), Name(gp))
			c.FailNow()
		}
		if cont := gp.Cont.Get(); cont != nil {
			gp.Cont.Set(nil)
			cont(c.S, mp, gp)
			continue
		}
		if g.done < len(g.steps) && (g.panicked == "" || c.Recovers) {
			g.done++
			g.steps[g.done-1](mp, gp)
			continue
		}
		c.useUp(mp, gp)
		c.S.Schedule(mp)
	}
}

// Look lets an M look at gp with its scan bit, if gp is in state st: nobody may change the
// state meanwhile. One that runs is linked to its M then, as the M needs to know that asks
// it to stop.
func (c *Crew) Look(gp *gmp.G, st uint32) {
	if !gp.Atomicstatus.CompareAndSwap(st, st|gmp.Gscan) {
		return
	}
	if st == gmp.Grunning {
		c.wantLinked(gp)
	}
	if !gp.Atomicstatus.CompareAndSwap(st|gmp.Gscan, st) {
		c.Errorf("%s was %s, and while another M held its scan bit it became %s: the bit is a lock on the state, and the M that holds it may be looking at the stack", Name(gp), gmp.StatusName(st), State(gp))
	}
}

// wantLinked checks that gp, which runs, and its M point to each other.
func (c *Crew) wantLinked(gp *gmp.G) {
	switch mp := gp.M.Get(); {
	case mp == nil:
		c.Errorf("%s is running, and has no M: an M that holds its scan bit, to stop it, would not know where it runs", Name(gp))
	case mp.Curg.Get() != gp:
		c.Errorf("%s is running on %s, whose Curg is %s: want %s", Name(gp), MName(mp), Name(mp.Curg.Get()), Name(gp))
	}
}

// useUp ends gp, and lets it and its stack, and a sudog, be used for other things. Whoever
// still touches one of them is in a race.
func (c *Crew) useUp(mp *gmp.M, gp *gmp.G) {
	s, g := c.S, c.of(gp)
	g.on, g.over = nil, true
	s.Casgstatus(gp, gmp.Grunning, gmp.Gdead)
	s.Dropg(mp)
	st := gp.Stack.Get()
	gp.Stack.Set(machine.Stack{})
	s.Stackfree(st)
	BeginAnew(gp)
	sg := s.AcquireSudog(mp)
	sg.G.Set(nil)
	sg.Elem.Set(0)
	sg.C.Set(nil)
	sg.IsSelect.Set(false)
	sg.Success.Set(false)
	sg.Case.Set(0)
	sg.Next.Set(nil)
	sg.Prev.Set(nil)
	sg.Waitlink.Set(nil)
	sg.Waittail.Set(nil)
	sg.Parent.Set(nil)
	sg.Ticket.Set(0)
	s.ReleaseSudog(mp, sg)
}

// BeginAnew writes the fields of gp that belong to one of its lives, as its next life does.
// Whoever still touches one of them is in a race.
func BeginAnew(gp *gmp.G) {
	gp.Goid.Set(gp.Goid.Get())
	gp.Startfn.Set(0)
	gp.Gopc.Set(0)
	gp.Parentgoid.Set(0)
	gp.Waitreason.Set(gmp.WaitReasonZero)
	gp.Waitsince.Set(0)
	gp.Preempt.Set(false)
	gp.PreemptStop.Set(false)
	gp.AsyncSafe.Set(false)
	gp.Timer.Set(nil)
	gp.Waiting.Set(nil)
	gp.Param.Set(nil)
	gp.Success.Set(false)
	gp.Selects.Set(nil)
	gp.Cont.Set(nil)
	gp.Schedlink.Set(nil)
	gp.Lockedm.Set(nil)
}

// atOnce lets a new M run gp, which is runnable.
func (c *Crew) atOnce(gp *gmp.G) {
	mp := c.NewM()
	machine.Newosproc(MName(mp), func() {
		c.S.Execute(mp, gp, false)
		c.mstart(mp)
	})
}

// everyoneIsDone is a check of all models.
func (c *Crew) everyoneIsDone() {
	waiting := 0
	for _, g := range c.gs {
		if !g.over {
			waiting++
		}
		switch {
		case g.over || g.mayWait:
		case c.Forgotten != nil && g.gp.Atomicstatus.Load() != gmp.Gwaiting:
			if why := c.Forgotten(g.gp); why != "" {
				c.Errorf("%s", why)
			}
		default:
			c.Errorf("%s waits for ever (%s): everything that it waits for has happened, but it was not made ready", Name(g.gp), g.gp.Waitreason.Get())
		}
	}
	if waiting == 0 && c.lent != 0 {
		c.Errorf("all Gs have ended, and the number of sudogs still in use is %d; want 0: each must be released once", c.lent)
	}
}

// place is how an address stands in a report.
func (c *Crew) place(addr machine.Addr) string {
	if c.Place != nil {
		if name := c.Place(addr); name != "" {
			return name
		}
	}
	if name, ok := c.words[addr]; ok {
		return name
	}
	for _, g := range c.gs {
		switch st := g.gp.Stack.Peek(); {
		case addr < st.Lo || addr >= st.Hi:
		case addr == st.Hi-crewSlot:
			return Name(g.gp) + "'s slot"
		case addr > st.Hi-crewSlot && addr < st.Hi-crewSlot+8*crewSlots:
			return fmt.Sprintf("slot %d of %s", (addr+crewSlot-st.Hi)/8, Name(g.gp))
		case addr >= st.Hi-crewArgs:
			return fmt.Sprintf("word %d of %s's arguments", (addr+crewArgs-st.Hi)/8, Name(g.gp))
		default:
			return Name(g.gp) + "'s stack"
		}
	}
	for gp := c.S.Allgs.Peek(); gp != nil; gp = gp.Alllink.Peek() {
		if st := gp.Stack.Peek(); addr >= st.Lo && addr < st.Hi {
			return Name(gp) + "'s stack" // one that the parts have made
		}
	}
	return ""
}
