package sim

import (
	"math/bits"

	"gosched/chapters/machine"
)

// A line is a cache line: who has a copy of it. It belongs to the number of a
// variable, never to an address, which would differ from run to run.
type line struct {
	// busy is when it becomes free: CPUs get it one after the other. It is also
	// when it was last written, so nobody sees a value before its time.
	busy    Time
	sharers uint64     // the CPUs that have a copy, a bit for each
	with    machine.ID // the variable on whose line this one lies; 0 if it has its own
	owner   int8       // the CPU that may write it, nobody if there is none
}

const nobody = -1

// access says what a kind of access does to a line.
type access struct {
	cost   Time
	writes bool
	// plain is an access to what a lock protects. When exactly it happens is
	// seen by nobody, so it need not come in order.
	plain bool
}

// accessKinds says it of all kinds.
func accessKinds(c *Costs) (kinds [machine.AccessSet + 1]access) {
	for k := range kinds {
		kinds[k] = access{cost: c.RMW, writes: true}
	}
	kinds[machine.AccessLoad] = access{cost: c.Load}
	kinds[machine.AccessRelease] = access{cost: c.Load, writes: true, plain: true}
	kinds[machine.AccessGet] = access{cost: c.Load, plain: true}
	kinds[machine.AccessSet] = access{cost: c.Load, writes: true, plain: true}
	return kinds
}

// line returns the cache line of a variable. The pointer is good until the next
// call, which may see a new variable.
func (s *simulation) line(id machine.ID) *line {
	for int(id) >= len(s.lines) {
		s.lines = append(s.lines, line{owner: nobody})
	}
	ln := &s.lines[id]
	for ln.with != 0 {
		ln = &s.lines[ln.with]
	}
	return ln
}

// Together puts variables on one line: the lines of all join that of the first.
func (s *simulation) Together(ids []machine.ID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		s.line(id) // they may be new
	}
	root := ids[0]
	for s.lines[root].with != 0 {
		root = s.lines[root].with
	}
	for _, id := range ids[1:] {
		if ln := s.line(id); ln != &s.lines[root] {
			ln.with = root
		}
	}
}

// Access takes the time of an access to a variable.
func (s *simulation) Access(id machine.ID, kind machine.AccessKind) { s.touch(id, kind) }

// Done is for explorations. Here an operation's effect cannot be seen before its
// Access has returned, and no other thread runs before it is done.
func (s *simulation) Done(machine.ID, machine.AccessKind, machine.Value, machine.Value, bool) {}

// touch lets the current thread do something to the line of a variable. When it
// returns, the access happens, before any that another thread asks for later.
//
// Look-ahead: to let another thread run costs the simulator a hundred times what
// an access costs it. So a thread may be ahead of the others by the time that a
// line takes from one CPU to another, as long as it finds its lines in its own
// CPU: on a real computer, too, it learns of a write elsewhere only after that
// time. A miss is done in order.
func (s *simulation) touch(id machine.ID, kind machine.AccessKind) {
	how := &s.kinds[kind]
	ln := s.line(id)
	hit := s.has(ln, how.writes)
	for ahead := s.now - s.horizon; ahead > 0 && (ahead > s.slack || !hit && !how.plain); {
		s.pass()
		ln = s.line(id)
		hit = s.has(ln, how.writes)
		ahead = s.now - s.horizon
	}
	s.accesses++
	me := uint64(1) << s.cpu
	if hit {
		s.now += how.cost
		if how.writes {
			ln.busy = s.now
		}
		return
	}
	s.misses++
	s.now = max(s.now, ln.busy) + s.costs.Miss + how.cost
	switch {
	case how.writes:
		ln.owner, ln.sharers, ln.busy = int8(s.cpu), me, s.now
	case ln.owner != nobody:
		ln.owner, ln.busy = nobody, s.now
		ln.sharers |= me
	default: // copies can be made for many at once
		ln.sharers |= me
		if bits.OnesCount64(ln.sharers) == 1 {
			ln.owner = int8(s.cpu) // nobody else has it: it may be written, too
		}
	}
}

// inOrder is touch without looking ahead, for locks and notes: a thread that unlocked
// a little before its turn would seem to be rid of those who try to lock. It costs
// the simulator nothing that can be measured.
func (s *simulation) inOrder(id machine.ID, kind machine.AccessKind) {
	if s.now > s.horizon {
		s.pass()
	}
	s.touch(id, kind)
}

// has reports whether the current CPU finds the line in its cache.
func (s *simulation) has(ln *line, write bool) bool {
	if write {
		return int(ln.owner) == s.cpu
	}
	return ln.sharers>>s.cpu&1 != 0
}
