package ch14

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Those of IsAsyncSafePoint that are open
// are for the student's own test.
var Mutants = []check.Mutant{
	{
		Name: "safe-locked-m", Check: "safe",
		What:  "an M that must not be interrupted is",
		Parts: mutant(func(p right) gmp.Signals { return &safe{p, "m"} }),
	},
	{
		Name: "safe-in-call", Check: "safe",
		What:  "a G is stopped in the middle of a raw system call, and misses the result",
		Parts: mutant(func(p right) gmp.Signals { return &safe{p, "call"} }),
	},
	{
		Name: "safe-any-pc", Check: "safe",
		What:  "a G is stopped while it passes arguments, and an address among them leads to its old stack",
		Parts: mutant(func(p right) gmp.Signals { return &safe{p, "pc"} }),
	},
	{
		Name: "safe-at-entry", Check: "safe",
		What:  "a G is stopped only at the prologue of a function: a loop never is",
		Parts: mutant(func(p right) gmp.Signals { return &safe{p, "entry"} }),
	},
	{
		Name: "safe-without-p", Check: "safe", Hidden: true,
		What:  "IsAsyncSafePoint asks about the P of an M that may have none",
		Parts: mutant(func(p right) gmp.Signals { return &safe{p, "p"} }),
	},
	{
		Name: "want-asks-m", Check: "want", Hidden: true,
		What:  "WantAsyncPreempt asks whether the M may be preempted, which is for IsAsyncSafePoint to ask, and the M may have no P",
		Parts: mutant(func(p right) gmp.Signals { return wantAsksM{p} }),
	},
	{
		Name: "scan-any-state", Check: "scan", Hidden: true,
		What:  "Castogscanstatus believes its caller",
		Parts: bits(func(p gmp.ScanBits) gmp.ScanBits { return scanAnyState{p} }),
	},
	{
		Name: "scan-clears-blindly", Check: "scan", Hidden: true,
		What:  "CasfromGscanstatus stores the state, whatever it was",
		Parts: bits(func(p gmp.ScanBits) gmp.ScanBits { return scanClearsBlindly{p} }),
	},
	{
		Name: "claim-writes-early", Check: "preempted-bits", Hidden: true,
		What:  "CasGFromPreempted writes why gp waits before it knows that it has won, as the runtime does",
		Parts: bits(func(p gmp.ScanBits) gmp.ScanBits { return claimWritesEarly{p} }),
	},
	{
		Name: "claim-in-two-steps", Check: "race-two", Hidden: true,
		What:  "CasGFromPreempted looks, and then stores: two Ms claim the same G",
		Parts: bits(func(p gmp.ScanBits) gmp.ScanBits { return claimInTwoSteps{p} }),
	},
	{
		Name: "send-always", Check: "send", Hidden: true,
		What:  "a signal is sent although one is under way",
		Parts: mutant(func(p right) gmp.Signals { return sendAlways{p} }),
	},
	{
		Name: "send-looks", Check: "race-late", Hidden: true,
		What:  "PreemptM looks whether a signal is under way, and then says that there is one: two Ms send at the same time",
		Parts: mutant(func(p right) gmp.Signals { return sendLooks{p} }),
	},
	{
		Name: "send-notes-late", Check: "race-late", Hidden: true,
		What:  "PreemptM sends the signal, and then says that one is under way: it may be answered by then, and none is sent any more",
		Parts: mutant(func(p right) gmp.Signals { return sendNotesLate{p} }),
	},
	{
		Name: "send-when-off", Check: "send", Hidden: true,
		What:  "signals are sent although they are off",
		Parts: mutant(func(p right) gmp.Signals { return sendWhenOff{p} }),
	},
	{
		Name: "want-without-p", Check: "want", Hidden: true,
		What:  "a request to the P does not count",
		Parts: mutant(func(p right) gmp.Signals { return wantWithoutP{p} }),
	},
	{
		Name: "want-with-bit", Check: "want", Hidden: true,
		What:  "a G whose scan bit is set does not count as running",
		Parts: mutant(func(p right) gmp.Signals { return wantWithBit{p} }),
	},
	{
		Name: "answer-generation-first", Check: "race-signal", Hidden: true,
		What:  "PreemptGen goes up while SignalPending is still set, as in the runtime: a signal that is wanted in between is not sent, and whoever waits for it waits for ever",
		Parts: mutant(func(p right) gmp.Signals { return answerGenerationFirst{p} }),
	},
	{
		Name: "answer-obeyed-only", Check: "answer", Hidden: true,
		What:  "a signal that does not stop the G is not answered",
		Parts: mutant(func(p right) gmp.Signals { return answerObeyedOnly{p} }),
	},
	{
		Name: "answer-late", Check: "answer", Hidden: true,
		What:  "the signal is answered when the G has stopped, which is when mp has another one",
		Parts: mutant(func(p right) gmp.Signals { return answerLate{p} }),
	},
	{
		Name: "answer-takes-request", Check: "answer", Hidden: true,
		What:  "the request is gone with the signal, although the G was not stopped",
		Parts: mutant(func(p right) gmp.Signals { return answerTakesRequest{p} }),
	},
	{
		Name: "answer-clears-late", Check: "answer", Hidden: true,
		What:  "the request is taken away when the G has stopped, which may run elsewhere and be asked again",
		Parts: mutant(func(p right) gmp.Signals { return answerClearsLate{p} }),
	},
	{
		Name: "stop-silently", Check: "stop", Hidden: true,
		What:  "nothing says that the G stands between two instructions",
		Parts: mutant(func(p right) gmp.Signals { return stopSilently{p} }),
	},
	{
		Name: "stop-yields", Check: "stop", Hidden: true,
		What:  "a G that somebody suspends yields, and runs on",
		Parts: mutant(func(p right) gmp.Signals { return stopYields{p} }),
	},
	{
		Name: "park-drops-late", Check: "race-park", Hidden: true,
		What:  "PreemptPark lets go of the G when it is Gpreempted, and another M may have it",
		Parts: mutant(func(p right) gmp.Signals { return parkDropsLate{p} }),
	},
	{
		Name: "park-drops-early", Check: "race-park", Hidden: true,
		What:  "PreemptPark lets go of the G while it counts as running",
		Parts: mutant(func(p right) gmp.Signals { return parkDropsEarly{p} }),
	},
	{
		Name: "park-keeps-curg", Check: "park", Hidden: true,
		What:  "the M still points to the G when another M may have it",
		Parts: mutant(func(p right) gmp.Signals { return parkKeepsCurg{p} }),
	},
	{
		Name: "park-touches-later", Check: "race-park", Hidden: true,
		What:  "PreemptPark clears PreemptStop when another M may have the G, and may have asked it again",
		Parts: mutant(func(p right) gmp.Signals { return parkTouchesLater{p} }),
	},
	{
		Name: "suspend-leaves-request", Check: "suspend", Hidden: true,
		What:  "the request stays when the G has stopped: it stops once more, for nobody",
		Parts: mutant(func(p right) gmp.Signals { return suspendLeavesRequest{p} }),
	},
	{
		Name: "suspend-stops-nobody", Check: "suspend", Hidden: true,
		What:  "SuspendG does not say that it has claimed the G, which then waits for ever",
		Parts: mutant(func(p right) gmp.Signals { return suspendStopsNobody{p} }),
	},
	{
		Name: "suspend-with-bit", Check: "suspend-running", Hidden: true,
		What:  "SuspendG sends the signal while it holds the scan bit, for which the G may be waiting",
		Parts: mutant(func(p right) gmp.Signals { return suspendWithBit{p} }),
	},
	{
		Name: "suspend-asks-early", Check: "suspend-running", Hidden: true,
		What:  "SuspendG sets PreemptStop before it has the scan bit: it may be another life of the G that stops, for nobody",
		Parts: mutant(func(p right) gmp.Signals { return suspends{p, asksEarly} }),
	},
	{
		Name: "suspend-clears-early", Check: "suspend", Hidden: true,
		What:  "SuspendG takes the request away before it has the scan bit, and the G runs on",
		Parts: mutant(func(p right) gmp.Signals { return suspends{p, clearsEarly} }),
	},
	{
		Name: "suspend-generation-late", Check: "race-asked", Hidden: true,
		What:  "SuspendG looks at PreemptGen after it has sent the signal, which may be answered by then: it waits for ever",
		Parts: mutant(func(p right) gmp.Signals { return suspends{p, generationLate} }),
	},
	{
		Name: "suspend-sends-always", Check: "race-asked", Hidden: true,
		What:  "SuspendG asks and sends anew at each look, whether the last signal was answered or not",
		Parts: mutant(func(p right) gmp.Signals { return suspends{p, sendsAlways} }),
	},
	{
		Name: "suspend-forgets-claim", Check: "race-two", Hidden: true,
		What:  "SuspendG does not remember that it has claimed the G when another M holds the scan bit for a moment",
		Parts: mutant(func(p right) gmp.Signals { return suspends{p, forgetsClaim} }),
	},
	{
		Name: "resume-by-reason", Check: "resume", Hidden: true,
		What:  "ResumeG makes each G ready that was preempted, also one that another M has claimed",
		Parts: mutant(func(p right) gmp.Signals { return resumeByReason{p} }),
	},
	{
		Name: "resume-forgets", Check: "resume", Hidden: true,
		What:  "a G that had stopped is not made ready",
		Parts: mutant(func(p right) gmp.Signals { return resumeForgets{p} }),
	},
	{
		Name: "resume-all", Check: "resume", Hidden: true,
		What:  "every G is made ready, also one that waits for something else",
		Parts: mutant(func(p right) gmp.Signals { return resumeAll{p} }),
	},
}

// right is a correct part, for mutants to change.
type right struct {
	gmp.Signals
	s *gmp.Sched
}

func mutant(change func(p right) gmp.Signals) gmp.Version {
	return gmp.Version{ScanBits: NewScanBits, Signals: func(s *gmp.Sched) gmp.Signals { return change(right{NewSignals(s), s}) }}
}

func bits(change func(p gmp.ScanBits) gmp.ScanBits) gmp.Version {
	return gmp.Version{Signals: NewSignals, ScanBits: func(s *gmp.Sched) gmp.ScanBits { return change(NewScanBits(s)) }}
}

type safe struct {
	right
	without string
}

func (p *safe) IsAsyncSafePoint(gp *gmp.G, pc machine.PC) bool {
	prog, mp := p.s.Program(), gp.M.Get()
	switch {
	case p.without != "p" && mp.P.Get() == nil, p.without != "m" && !p.s.CanPreemptM(mp):
		return false
	case p.without != "call" && gp.Sched.Trap.IsCall():
		return false
	case p.without == "entry":
		f := prog.FuncAt(pc)
		return f != nil && f.Entry == pc
	}
	return p.without == "pc" || !prog.UnsafePoint(pc)
}

type scanAnyState struct{ gmp.ScanBits }

func (p scanAnyState) Castogscanstatus(gp *gmp.G, oldval, newval uint32) bool {
	return gp.Atomicstatus.CompareAndSwap(oldval, newval)
}

type scanClearsBlindly struct{ gmp.ScanBits }

func (p scanClearsBlindly) CasfromGscanstatus(gp *gmp.G, oldval, newval uint32) {
	gp.Atomicstatus.Store(newval)
}

type claimWritesEarly struct{ gmp.ScanBits }

func (p claimWritesEarly) CasGFromPreempted(gp *gmp.G, oldval, newval uint32) bool {
	gp.Waitreason.Set(gmp.WaitReasonPreempted)
	return p.ScanBits.CasGFromPreempted(gp, oldval, newval)
}

type claimInTwoSteps struct{ gmp.ScanBits }

func (p claimInTwoSteps) CasGFromPreempted(gp *gmp.G, oldval, newval uint32) bool {
	if newval == gmp.Gwaiting && oldval == gmp.Gpreempted {
		if gp.Atomicstatus.Load() != oldval {
			return false
		}
		gp.Atomicstatus.Store(newval)
		gp.Waitreason.Set(gmp.WaitReasonPreempted)
		return true
	}
	return p.ScanBits.CasGFromPreempted(gp, oldval, newval)
}

type sendAlways struct{ right }

func (p sendAlways) PreemptM(mp, target *gmp.M) {
	if !p.s.AsyncPreemptOff() {
		target.SignalPending.Store(1)
		target.Thread.Signal.Send()
	}
}

type sendLooks struct{ right }

func (p sendLooks) PreemptM(mp, target *gmp.M) {
	if !p.s.AsyncPreemptOff() && target.SignalPending.Load() == 0 {
		target.SignalPending.Store(1)
		target.Thread.Signal.Send()
	}
}

type sendNotesLate struct{ right }

func (p sendNotesLate) PreemptM(mp, target *gmp.M) {
	if !p.s.AsyncPreemptOff() && target.SignalPending.Load() == 0 {
		target.Thread.Signal.Send()
		target.SignalPending.Store(1)
	}
}

type sendWhenOff struct{ right }

func (p sendWhenOff) PreemptM(mp, target *gmp.M) {
	if target.SignalPending.CompareAndSwap(0, 1) {
		target.Thread.Signal.Send()
	}
}

type wantWithoutP struct{ right }

func (p wantWithoutP) WantAsyncPreempt(gp *gmp.G) bool {
	return gp.Preempt.Get() && gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Grunning
}

type wantWithBit struct{ right }

func (p wantWithBit) WantAsyncPreempt(gp *gmp.G) bool {
	return p.Signals.WantAsyncPreempt(gp) && gp.Atomicstatus.Load() == gmp.Grunning
}

type wantAsksM struct{ right }

func (p wantAsksM) WantAsyncPreempt(gp *gmp.G) bool {
	return p.s.CanPreemptM(gp.M.Get()) && p.Signals.WantAsyncPreempt(gp)
}

type answerGenerationFirst struct{ right }

func (p answerGenerationFirst) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	stop := s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At())
	mp.PreemptGen.Add(1)
	mp.SignalPending.Store(0)
	if stop {
		s.Asyncpreempt2(mp, gp)
	}
}

type answerObeyedOnly struct{ right }

func (p answerObeyedOnly) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	if p.s.WantAsyncPreempt(gp) {
		p.Signals.DoSigPreempt(mp, gp)
	}
}

type answerLate struct{ right }

func (p answerLate) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At()) {
		s.Asyncpreempt2(mp, gp)
	}
	mp.SignalPending.Store(0)
	mp.PreemptGen.Add(1)
}

type answerTakesRequest struct{ right }

func (p answerTakesRequest) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	want := s.WantAsyncPreempt(gp)
	gp.Preempt.Set(false)
	mp.SignalPending.Store(0)
	mp.PreemptGen.Add(1)
	if want && s.IsAsyncSafePoint(gp, gp.Sched.At()) {
		s.Asyncpreempt2(mp, gp)
	}
}

type answerClearsLate struct{ right }

func (p answerClearsLate) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	s := p.s
	stop := s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At())
	mp.SignalPending.Store(0)
	mp.PreemptGen.Add(1)
	if stop {
		s.Asyncpreempt2(mp, gp)
		gp.Preempt.Set(false)
	}
}

type stopSilently struct{ right }

func (p stopSilently) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	if gp.PreemptStop.Get() {
		p.s.PreemptPark(mp, gp)
	} else {
		p.s.GoschedImpl(mp, gp, true)
	}
}

type stopYields struct{ right }

func (p stopYields) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	gp.AsyncSafe.Set(true)
	gp.Cont.Set((*gmp.Sched).AsyncpreemptDone)
	p.s.GoschedImpl(mp, gp, true)
}

type parkDropsLate struct{ right }

func (p parkDropsLate) PreemptPark(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	s.Dropg(mp)
	s.Schedule(mp)
}

type parkDropsEarly struct{ right }

func (p parkDropsEarly) PreemptPark(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	s.Dropg(mp)
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	s.Schedule(mp)
}

type parkKeepsCurg struct{ right }

func (p parkKeepsCurg) PreemptPark(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	gp.M.Set(nil)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	mp.Curg.Set(nil)
	s.Schedule(mp)
}

type parkTouchesLater struct{ right }

func (p parkTouchesLater) PreemptPark(mp *gmp.M, gp *gmp.G) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("bad g status")
	}
	s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	s.Dropg(mp)
	s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	gp.PreemptStop.Set(false)
	s.Schedule(mp)
}

type suspendLeavesRequest struct{ right }

func (p suspendLeavesRequest) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	stop, asked := gp.PreemptStop.Get(), gp.Preempt.Get()
	state := p.Signals.SuspendG(mp, gp)
	if state.G != nil && stop && asked {
		gp.PreemptStop.Set(true)
		gp.Ask()
	}
	return state
}

type suspendStopsNobody struct{ right }

func (p suspendStopsNobody) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	state := p.Signals.SuspendG(mp, gp)
	state.Stopped = false
	return state
}

type suspendWithBit struct{ right }

func (p suspendWithBit) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	if s := p.s; gp.Atomicstatus.Load() == gmp.Grunning && s.Castogscanstatus(gp, gmp.Grunning, gmp.Grunning|gmp.Gscan) {
		gp.PreemptStop.Set(true)
		gp.Ask()
		s.PreemptM(mp, gp.M.Get())
		s.CasfromGscanstatus(gp, gmp.Grunning|gmp.Gscan, gmp.Grunning)
	}
	return p.Signals.SuspendG(mp, gp)
}

// suspends has a SuspendG with one mistake.
type suspends struct {
	right
	mistake int
}

// The mistakes of suspends.
const (
	asksEarly = iota
	clearsEarly
	generationLate
	sendsAlways
	forgetsClaim
)

func (p suspends) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	s := p.s
	if cur := mp.Curg.Get(); cur != nil && cur.Atomicstatus.Load()&^gmp.Gscan == gmp.Grunning {
		s.Throw("suspendG from non-preemptible goroutine")
	}
	stopped := false
	var asked *gmp.M
	var generation uint32
	for ; !s.Exited(); machine.Osyield() {
		st := gp.Atomicstatus.Load()
		switch st {
		case gmp.Gdead:
			return gmp.SuspendGState{Dead: true}
		case gmp.Gpreempted:
			stopped = s.CasGFromPreempted(gp, gmp.Gpreempted, gmp.Gwaiting)
			continue
		case gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting:
			if p.mistake == clearsEarly {
				gp.PreemptStop.Set(false)
				gp.Preempt.Set(false)
			}
			if s.Castogscanstatus(gp, st, st|gmp.Gscan) {
				gp.PreemptStop.Set(false)
				gp.Preempt.Set(false)
				gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
				return gmp.SuspendGState{G: gp, Stopped: stopped}
			}
			if p.mistake == forgetsClaim {
				stopped = false
			}
			continue
		case gmp.Grunning:
		case gmp.Gcopystack:
			continue
		default:
			if st&gmp.Gscan == 0 {
				s.Throw("invalid g status")
			}
			continue
		}
		if p.mistake != sendsAlways && gp.PreemptStop.Get() && gp.Preempt.Get() && gp.Sched.Guard.Load() == machine.StackPreempt &&
			asked != nil && asked.PreemptGen.Load() == generation {
			continue
		}
		if p.mistake == asksEarly {
			gp.PreemptStop.Set(true)
		}
		if !s.Castogscanstatus(gp, gmp.Grunning, gmp.Grunning|gmp.Gscan) {
			continue
		}
		gp.PreemptStop.Set(true)
		gp.Ask()
		asked = gp.M.Get()
		generation = asked.PreemptGen.Load()
		s.CasfromGscanstatus(gp, gmp.Grunning|gmp.Gscan, gmp.Grunning)
		s.PreemptM(mp, asked)
		if p.mistake == generationLate {
			generation = asked.PreemptGen.Load()
		}
	}
	return gmp.SuspendGState{Dead: true}
}

type resumeByReason struct{ right }

func (p resumeByReason) ResumeG(mp *gmp.M, state gmp.SuspendGState) {
	state.Stopped = state.G != nil && state.G.Atomicstatus.Load() == gmp.Gwaiting|gmp.Gscan && state.G.Waitreason.Get() == gmp.WaitReasonPreempted
	p.Signals.ResumeG(mp, state)
}

type resumeForgets struct{ right }

func (p resumeForgets) ResumeG(mp *gmp.M, state gmp.SuspendGState) {
	state.Stopped = false
	p.Signals.ResumeG(mp, state)
}

type resumeAll struct{ right }

func (p resumeAll) ResumeG(mp *gmp.M, state gmp.SuspendGState) {
	state.Stopped = state.G != nil
	p.Signals.ResumeG(mp, state)
}
