package sim

import "gosched/chapters/machine"

// A line is a cache line: who has a copy of it. It has the number that the machine has given
// to the first variable on it, and lines never depend on addresses, which would differ from
// run to run. Each goroutine has some, so a line is small, and what is asked most lies in it:
// the CPU that alone has it, or a few that have copies. Where there are more, which they are
// is kept apart. The zero value is on no CPU.
type line struct {
	// busy is when it becomes free: CPUs get it one after the other. It is also
	// when it was last written, so no thread sees a value before its time.
	busy  Time
	owner int16 // 1 + the CPU that alone has it, and may write it; nobody; or joined
	// copies is how many CPUs have it, if nobody owns it; or many.
	copies uint16
	// where are these CPUs, a byte for each. If there are many, it is the number of the set of
	// them, in lineStore.sets; if the line joined another one, the number of that.
	where uint32
}

const (
	nobody = 0  // owns it: no CPU has the line, or several have copies
	joined = -1 // the variables of this line lie on another one

	few  = 4       // CPUs are kept in the line itself
	many = few + 1 // are kept in a set
)

// A lineStore has the lines, and who has copies of them.
type lineStore struct {
	pages []*page[line] // of the lines, by their numbers: nearly all are needed
	sets  []cpuSet
	free  []uint32 // sets that no line needs now
}

// at returns the line with a number.
func (l *lineStore) at(n machine.ID) *line {
	if int(n>>pageBits) >= len(l.pages) {
		l.grow(n)
	}
	return &l.pages[n>>pageBits][n%(1<<pageBits)]
}

// grow makes the pages up to that of a line.
func (l *lineStore) grow(n machine.ID) {
	for int(n>>pageBits) >= len(l.pages) {
		l.pages = append(l.pages, new(page[line]))
	}
}

// line returns the line that a variable lies on.
func (l *lineStore) line(id machine.ID) *line {
	ln := l.at(id)
	if ln.owner == joined {
		ln = l.joined(ln)
	}
	return ln
}

// joined returns the line that another one has joined.
func (l *lineStore) joined(ln *line) *line {
	for ln.owner == joined {
		ln = l.at(machine.ID(ln.where))
	}
	return ln
}

// Join lets the variables on the second line lie on the first one.
func (l *lineStore) Join(first, id machine.ID) {
	for ln := l.at(first); ln.owner == joined; ln = l.at(first) {
		first = machine.ID(ln.where)
	}
	if ln := l.line(id); ln != l.at(first) {
		l.drop(ln)
		ln.owner, ln.where = joined, uint32(first)
	}
}

// has reports whether a CPU finds the line in its cache, to write or only to read.
func (l *lineStore) has(ln *line, cpu int, write bool) bool {
	return int(ln.owner) == 1+cpu || !write && ln.copies != 0 && l.hasCopy(ln, cpu)
}

// hasCopy reports whether a CPU is one of those that have copies.
func (l *lineStore) hasCopy(ln *line, cpu int) bool {
	if ln.copies == many {
		return l.sets[ln.where].has(cpu)
	}
	for i := range uint(ln.copies) {
		if ln.cpu(i) == cpu {
			return true
		}
	}
	return false
}

// cpu returns the i-th of a few CPUs that have copies.
func (ln *line) cpu(i uint) int { return int(uint8(ln.where >> (8 * i))) }

// add adds a CPU to them.
func (ln *line) add(cpu int) {
	ln.where = ln.where<<8 | uint32(cpu)
	ln.copies++
}

// give makes a CPU the owner of the line: no other has it any more.
func (l *lineStore) give(ln *line, cpu int) {
	l.drop(ln)
	ln.owner = int16(1 + cpu)
}

// drop takes the line from all CPUs that have copies.
func (l *lineStore) drop(ln *line) {
	if ln.copies == many {
		l.free = append(l.free, ln.where)
	}
	ln.copies = 0
}

// share lets a CPU, which does not have the line, have a copy as well as those that have it
// already, of which there is one at least.
func (l *lineStore) share(ln *line, cpu int) {
	switch {
	case ln.owner != nobody:
		ln.add(int(ln.owner) - 1)
		ln.owner = nobody
	case ln.copies == few:
		n := l.newSet()
		for i := range uint(few) {
			l.sets[n].add(ln.cpu(i))
		}
		ln.copies, ln.where = many, n
	}
	if ln.copies == many {
		l.sets[ln.where].add(cpu)
	} else {
		ln.add(cpu)
	}
}

// newSet returns the number of an empty set.
func (l *lineStore) newSet() uint32 {
	if n := len(l.free); n > 0 {
		set := l.free[n-1]
		l.free = l.free[:n-1]
		l.sets[set] = cpuSet{}
		return set
	}
	l.sets = append(l.sets, cpuSet{})
	return uint32(len(l.sets) - 1)
}

// access says what a kind of access does to a line.
type access struct {
	cost   Time
	writes bool
	// plain is an access to what a lock protects. When exactly it happens is
	// seen by no thread, so it need not come in order.
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

// Access lets the current thread do something to the line of a variable, which takes its time.
// When it returns, the access happens, before any that another thread asks for later.
//
// Look-ahead: to let another thread run costs the simulator a hundred times what
// an access costs it. So a thread may be ahead of the others by the time that a
// line takes from one CPU to another, as long as it finds its lines in its own
// CPU: on a real computer, too, it learns of a write elsewhere only after that
// time. A miss is done in order.
func (s *simulation) Access(id machine.ID, kind machine.AccessKind) {
	how := &s.kinds[kind]
	for {
		ln := s.lineStore.at(id)
		if ln.owner == joined {
			ln = s.joined(ln)
		}
		hit := s.has(ln, s.cpu, how.writes)
		if ahead := s.now - s.horizon; ahead > 0 && (ahead > s.slack || !hit && !how.plain) {
			s.pass()
			continue
		}
		s.accesses++
		if !hit {
			s.miss(ln, how)
			return
		}
		s.now += how.cost
		if how.writes {
			ln.busy = s.now
		}
		return
	}
}

// miss gets a line for the current CPU that it does not have.
func (s *simulation) miss(ln *line, how *access) {
	s.misses++
	s.now = max(s.now, ln.busy) + s.costs.Miss + how.cost
	switch {
	case how.writes:
		s.give(ln, s.cpu)
		ln.busy = s.now
	case ln.owner != nobody:
		s.share(ln, s.cpu)
		ln.busy = s.now
	case ln.copies != 0: // copies can be made for many at once
		s.share(ln, s.cpu)
	default: // no other CPU has it: it may be written, too
		s.give(ln, s.cpu)
	}
}

// inOrder is Access without looking ahead, for locks and notes: a thread that unlocked
// a little before its turn would seem to be rid of those who try to lock. It costs
// the simulator nothing that can be measured.
func (s *simulation) inOrder(id machine.ID, kind machine.AccessKind) {
	if s.now > s.horizon {
		s.pass()
	}
	s.Access(id, kind)
}
