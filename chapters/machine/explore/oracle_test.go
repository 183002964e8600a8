package explore

import "fmt"

// An oracle finds all states in which a tiny can end, by a search through its
// states that remembers which it has seen. It knows nothing of schedules,
// clocks, sleep sets or the machine: it is what the explorer is compared with.
type oracle struct {
	p      *tiny
	seen   map[string]bool
	finals map[string]bool
	wrong  bool // a state in which the program does what no program may
	stuck  bool // an end with a thread that waits for ever, and should not
	limit  int  // of states
}

// A tinyState is a state of a tiny. Each thread stands before an operation that
// others can see, a use of a cell included.
type tinyState struct {
	pcs     []int
	regs    [][]int64
	vars    []int64
	cells   []int64
	held    []bool
	signals []bool
	begun   []bool
	second  []bool // the thread is about to take the second look of an awaitAny or a poll
}

// search returns false if there are too many states.
func (p *tiny) search(limit int) (*oracle, bool) {
	o := &oracle{p: p, seen: map[string]bool{}, finals: map[string]bool{}, limit: limit}
	n := len(p.threads)
	s := tinyState{
		pcs: make([]int, n), vars: make([]int64, len(p.vars)), cells: make([]int64, p.cells),
		held: make([]bool, p.mutexes), signals: make([]bool, p.notes), begun: make([]bool, n), second: make([]bool, n),
	}
	for i := range n {
		s.regs = append(s.regs, make([]int64, tinyRegs))
		s.begun[i] = i < n-p.spawned
	}
	ok := o.settle(s, 0)
	return o, ok
}

func (s tinyState) clone() tinyState {
	c := s
	c.pcs = append([]int(nil), s.pcs...)
	c.regs = nil
	for _, r := range s.regs {
		c.regs = append(c.regs, append([]int64(nil), r...))
	}
	c.vars = append([]int64(nil), s.vars...)
	c.cells = append([]int64(nil), s.cells...)
	c.held = append([]bool(nil), s.held...)
	c.signals = append([]bool(nil), s.signals...)
	c.begun = append([]bool(nil), s.begun...)
	c.second = append([]bool(nil), s.second...)
	return c
}

// settle executes what threads from id on do by themselves, and then goes on
// from the state that they reach, or from each of them where they choose.
func (o *oracle) settle(s tinyState, id int) bool {
	for ; id < len(s.pcs); id++ {
		code := o.p.threads[id]
		for s.begun[id] && s.pcs[id] < len(code) {
			in := code[s.pcs[id]]
			switch {
			case in.op == tUnless:
				if s.regs[id][in.r] != in.a.of(s.regs[id]) {
					s.pcs[id] += in.n
				}
				s.pcs[id]++
				continue
			case in.op == tSpawn:
				s.begun[in.v] = true
				s.pcs[id]++
				continue
			case in.op == tChoose:
				s.pcs[id]++
				c := s.clone()
				s.regs[id][in.r], c.regs[id][in.r] = 0, 1
				if !o.settle(c, id) {
					return false
				}
				continue
			}
			break
		}
	}
	return o.visit(s)
}

func (o *oracle) next(s tinyState, id int) (instr, bool) {
	if !s.begun[id] || s.pcs[id] == len(o.p.threads[id]) {
		return instr{}, false
	}
	return o.p.threads[id][s.pcs[id]], true
}

func (o *oracle) visit(s tinyState) bool {
	key := fmt.Sprint(s)
	if o.seen[key] {
		return true
	}
	o.seen[key] = true
	if len(o.seen) > o.limit {
		return false
	}
	if o.clash(s) {
		o.wrong = true
		return true
	}
	stuck := true
	for id := range s.pcs {
		in, ok := o.next(s, id)
		if !ok {
			continue
		}
		useless := false
		switch in.op {
		case tLock:
			ok = !s.held[in.v]
		case tSleep:
			ok = s.signals[in.v]
		case tAwait:
			ok = s.vars[in.v] != o.fit(in.v, in.a.of(s.regs[id]))
		case tAwaitAny:
			// It can always look once more, but that leads nowhere new if
			// both are as they should not be.
			useless = !s.second[id] && s.vars[in.v] == o.fit(in.v, int64(in.a)) && s.vars[in.n] == o.fit(in.n, int64(in.b))
		case tWakeup:
			if s.signals[in.v] {
				o.wrong = true
			}
		}
		if !ok {
			continue
		}
		stuck = stuck && useless
		c := s.clone()
		o.step(&c, id, in)
		if !o.settle(c, 0) {
			return false
		}
	}
	if stuck {
		for id := range s.pcs {
			in, waits := o.next(s, id)
			daemon := id >= len(s.pcs)-o.p.spawned && in.op != tLock
			o.stuck = o.stuck || waits && !daemon
		}
		o.finals[finalState(s.pcs, s.regs, s.vars, s.cells)] = true
	}
	return true
}

// clash reports whether two threads are about to use a cell at once, one of
// them setting it, or to sleep on one note.
func (o *oracle) clash(s tinyState) bool {
	for i := range s.pcs {
		a, ok := o.next(s, i)
		if !ok {
			continue
		}
		for j := range i {
			b, ok := o.next(s, j)
			if !ok || a.v != b.v {
				continue
			}
			cells := (a.op == tGet || a.op == tSet) && (b.op == tGet || b.op == tSet)
			if cells && (a.op == tSet || b.op == tSet) {
				return true
			}
			sleeps := func(op tinyOp) bool { return op == tSleep || op == tSleepTimeout }
			if sleeps(a.op) && sleeps(b.op) {
				return true
			}
		}
	}
	return false
}

// fit is v as the variable can hold it.
func (o *oracle) fit(variable int, v int64) int64 {
	switch o.p.vars[variable] {
	case aUint32:
		return int64(uint32(v))
	case anInt32:
		return int64(int32(v))
	}
	return v & o.p.vars[variable].mask()
}

// step executes one operation.
func (o *oracle) step(s *tinyState, id int, in instr) {
	s.pcs[id]++
	regs := s.regs[id]
	r, a, b := &regs[in.r], in.a.of(regs), in.b.of(regs)
	fit := func(v int64) int64 { return o.fit(in.v, v) }
	switch in.op {
	case tLoad, tAwait:
		*r = s.vars[in.v]
	case tAwaitAny:
		o.look(s, id, in)
	case tPoll:
		*r = number(s.vars[in.v] != fit(int64(in.a)))
		if *r == 0 && !s.second[id] {
			s.pcs[id]--
			s.second[id] = true
		} else {
			s.second[id] = false
		}
	case tStore:
		s.vars[in.v] = fit(a)
	case tSwap:
		*r, s.vars[in.v] = s.vars[in.v], fit(a)
	case tCAS:
		*r = 0
		if s.vars[in.v] == fit(a) {
			*r, s.vars[in.v] = 1, fit(b)
		}
	case tAdd:
		s.vars[in.v] = fit(s.vars[in.v] + a)
		*r = s.vars[in.v]
	case tAnd:
		*r, s.vars[in.v] = s.vars[in.v], fit(s.vars[in.v]&a)
	case tOr:
		*r, s.vars[in.v] = s.vars[in.v], fit(s.vars[in.v]|a)
	case tLock:
		s.held[in.v] = true
	case tTryLock:
		*r = number(!s.held[in.v])
		s.held[in.v] = true
	case tUnlock:
		s.held[in.v] = false
	case tSleepTimeout:
		*r = number(s.signals[in.v])
	case tWakeup:
		s.signals[in.v] = true
	case tClear:
		s.signals[in.v] = false
	case tGet:
		*r = s.cells[in.v]
	case tSet:
		s.cells[in.v] = a
	}
}

// look is one look of an awaitAny, at the one variable or the other.
func (o *oracle) look(s *tinyState, id int, in instr) {
	variable, value, result := in.v, in.a, int64(1)
	if s.second[id] {
		variable, value, result = in.n, in.b, 2
	}
	if s.vars[variable] != o.fit(variable, int64(value)) {
		s.regs[id][in.r] = result
		s.second[id] = false
		return
	}
	s.pcs[id]--
	s.second[id] = !s.second[id]
}
