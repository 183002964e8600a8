package ch07_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch07 "gosched/solutions/ch07_runq"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch07"), map[string]gmp.Version{
		"other-order":      alternative(func(s *gmp.Sched) gmp.RunQueue { return otherOrder{ch07.NewRunQueue(s), s} }),
		"copies-otherwise": alternative(func(s *gmp.Sched) gmp.RunQueue { return copiesOtherwise{ch07.NewRunQueue(s), s} }),
		"other-loops":      alternative(func(s *gmp.Sched) gmp.RunQueue { return otherLoops{ch07.NewRunQueue(s), s} }),
		"remembers-head":   alternative(func(s *gmp.Sched) gmp.RunQueue { return &remembersHead{RunQueue: ch07.NewRunQueue(s), s: s} }),
		"locked":           alternative(func(s *gmp.Sched) gmp.RunQueue { return &locked{RunQueue: ch07.NewRunQueue(s), s: s} }),
		"keeps-tail":       alternative(func(s *gmp.Sched) gmp.RunQueue { return &keepsTail{RunQueue: ch07.NewRunQueue(s), s: s} }),
		"patient":          alternative(func(s *gmp.Sched) gmp.RunQueue { return patient{ch07.NewRunQueue(s), s} }),
		"one-swap-each":    alternative(func(s *gmp.Sched) gmp.RunQueue { return oneSwapEach{ch07.NewRunQueue(s), s} }),
		"one-at-a-time":    alternative(func(s *gmp.Sched) gmp.RunQueue { return oneAtATime{ch07.NewRunQueue(s), s} }),
	})
}

func alternative(make func(s *gmp.Sched) gmp.RunQueue) gmp.Version {
	return gmp.Version{RunQueue: make}
}

func length(pp *gmp.P) uint32 { return uint32(len(pp.Runq)) }

// otherOrder looks at the tail before the head where only the owner moves the tail,
// and reads the slot of its own head before it knows whether there is one.
type otherOrder struct {
	gmp.RunQueue
	s *gmp.Sched
}

func (p otherOrder) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		gp = pp.Runnext.Swap(gp)
	}
	for gp != nil {
		t := pp.Runqtail.Load()
		slot := slot(pp, t)
		h := pp.Runqhead.Load()
		switch {
		case t-h == length(pp):
			if p.s.Runqputslow(pp, gp, h, t) {
				gp = nil
			}
		default:
			slot.Store(gp)
			pp.Runqtail.Store(t + 1)
			gp = nil
		}
	}
}

func (p otherOrder) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	if gp := pp.Runnext.Swap(nil); gp != nil {
		return gp, true
	}
	t := pp.Runqtail.Load()
	for {
		h := pp.Runqhead.Load()
		gp := slot(pp, h).Load()
		if t == h {
			return nil, false
		}
		if pp.Runqhead.CompareAndSwap(h, h+1) {
			return gp, false
		}
	}
}

func (p otherOrder) Runqempty(pp *gmp.P) bool {
	for {
		t := pp.Runqtail.Load()
		h := pp.Runqhead.Load()
		empty := pp.Runnext.Load() == nil && t == h
		if t == pp.Runqtail.Load() {
			return empty
		}
	}
}

// copiesOtherwise takes first and copies afterwards where the slots are its own,
// fills a batch from its end, and grabs through a slice.
type copiesOtherwise struct {
	gmp.RunQueue
	s *gmp.Sched
}

func (p copiesOtherwise) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	half := length(pp) / 2
	if t-h != 2*half {
		p.s.Throw("runqputslow: queue is not full")
	}
	if !pp.Runqhead.CompareAndSwap(h, h+half) {
		return false
	}
	var q gmp.GQueue
	for i := h; i != h+half; i++ {
		q.PushBack(slot(pp, i).Load())
	}
	q.PushBack(gp)
	p.s.Lock.Lock()
	defer p.s.Lock.Unlock()
	p.s.Globrunqputbatch(q)
	return true
}

func (p copiesOtherwise) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue {
	t := pp.Runqtail.Load()
	room := length(pp) - (t - pp.Runqhead.Load())
	var batch []*gmp.G
	for q.Head != nil && uint32(len(batch)) < room {
		batch = append(batch, q.Pop())
	}
	for i, gp := range slices.Backward(batch) {
		slot(pp, t+uint32(i)).Store(gp)
	}
	pp.Runqtail.Store(t + uint32(len(batch)))
	return q
}

func (p copiesOtherwise) Runqdrain(pp *gmp.P) gmp.GQueue {
	for {
		h, t := pp.Runqhead.Load(), pp.Runqtail.Load()
		var gs []*gmp.G
		for i := h; i != t; i++ {
			gs = append(gs, slot(pp, i).Load())
		}
		if !pp.Runqhead.CompareAndSwap(h, t) {
			continue
		}
		var q gmp.GQueue
		if next := pp.Runnext.Swap(nil); next != nil {
			q.PushBack(next)
		}
		for _, gp := range gs {
			q.PushBack(gp)
		}
		return q
	}
}

func (p copiesOtherwise) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		h := pp.Runqhead.Load()
		n := (pp.Runqtail.Load() - h + 1) / 2
		if n == 0 {
			return p.RunQueue.Runqgrab(pp, batch, batchHead, stealRunNext)
		}
		if n > length(pp)/2 {
			continue
		}
		gs := make([]*gmp.G, n)
		for i := range gs {
			gs[i] = slot(pp, h+uint32(i)).Load()
		}
		if !pp.Runqhead.CompareAndSwap(h, h+n) {
			continue
		}
		for i, gp := range gs {
			batch[(batchHead+uint32(i))%uint32(len(batch))].Store(gp)
		}
		return n
	}
}

// otherLoops swaps where the solution compares and swaps, and the other way round.
type otherLoops struct {
	gmp.RunQueue
	s *gmp.Sched
}

func (p otherLoops) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		old := pp.Runnext.Load()
		for !pp.Runnext.CompareAndSwap(old, gp) {
			old = pp.Runnext.Load()
		}
		if old == nil {
			return
		}
		gp = old
	}
	p.RunQueue.Runqput(pp, gp, false)
}

func (p otherLoops) Runqget(pp *gmp.P) (*gmp.G, bool) {
	if gp := pp.Runnext.Swap(nil); gp != nil {
		return gp, true
	}
	h := pp.Runqhead.Load()
	for h != pp.Runqtail.Load() {
		// The head before the slot: it is the owner who would write there.
		if pp.Runqhead.CompareAndSwap(h, h+1) {
			return slot(pp, h).Load(), false
		}
		h = pp.Runqhead.Load()
	}
	return nil, false
}

func (p otherLoops) Runqdrain(pp *gmp.P) gmp.GQueue {
	var q gmp.GQueue
	for gp, _ := p.s.Runqget(pp); gp != nil; gp, _ = p.s.Runqget(pp) {
		q.PushBack(gp)
	}
	return q
}

// Runqempty begins again when anything has moved.
func (p otherLoops) Runqempty(pp *gmp.P) bool {
	look := func() [3]any { return [3]any{pp.Runqhead.Load(), pp.Runqtail.Load(), pp.Runnext.Load()} }
	for seen := look(); ; {
		again := look()
		if seen == again {
			return seen[0] == seen[1] && seen[2] == (*gmp.G)(nil)
		}
		seen = again
	}
}

// remembersHead has private state: the owner of a P keeps the head that it saw last,
// and looks at the real one, which thieves write to, only if the ring seems full.
type remembersHead struct {
	gmp.RunQueue
	s    *gmp.Sched
	seen gmp.PerP[struct {
		known bool
		head  uint32
	}]
}

func (p *remembersHead) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		if gp = pp.Runnext.Swap(gp); gp == nil {
			return
		}
	}
	seen := p.seen.Of(pp)
	t := pp.Runqtail.Load()
	if !seen.known || t-seen.head >= length(pp) {
		seen.known, seen.head = true, pp.Runqhead.Load()
	}
	if t-seen.head >= length(pp) {
		p.RunQueue.Runqput(pp, gp, false)
		return
	}
	slot(pp, t).Store(gp)
	pp.Runqtail.Store(t + 1)
}

// oneAtATime steals by copying each G over on its own; it takes all of them with one
// CAS, as it must.
type oneAtATime struct {
	gmp.RunQueue
	s *gmp.Sched
}

func (p oneAtATime) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	stolen := make([]machine.Pointer[gmp.G], len(pp.Runq))
	n := p.s.Runqgrab(p2, stolen, 0, stealRunNext)
	if n == 0 {
		return nil
	}
	if room := length(pp) - (pp.Runqtail.Load() - pp.Runqhead.Load()); n > room {
		p.s.Throw("runqsteal: runq overflow")
	}
	for i := range n - 1 {
		p.s.Runqput(pp, stolen[i].Load(), false)
	}
	return stolen[n-1].Load()
}

func (p oneAtATime) Globrunqgetbatch(n int32) (*gmp.G, gmp.GQueue) {
	share := 1 + p.s.Runq.Get().Size/p.s.Gomaxprocs.Get()
	gp := p.s.Globrunqget()
	var q gmp.GQueue
	for q.Size+1 < min(n, share) {
		next := p.s.Globrunqget()
		if next == nil {
			break
		}
		q.PushBack(next)
	}
	return gp, q
}

func (p oneAtATime) Globrunqputbatch(q gmp.GQueue) {
	for gp := q.Pop(); gp != nil; gp = q.Pop() {
		p.s.Globrunqput(gp)
	}
}

// locked has a lock for each P, so that no two of its methods meet. It asks more of all
// than it must, and is right.
type locked struct {
	gmp.RunQueue
	s     *gmp.Sched
	locks gmp.PerP[machine.Mutex]
}

// of locks pp; its result is for defer.
func (p *locked) of(pp *gmp.P) (unlock func()) {
	mu := p.locks.Of(pp)
	mu.Lock()
	return mu.Unlock
}

func (p *locked) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	for gp != nil {
		gp = p.put(pp, gp, next)
		next = false
	}
}

// put returns gp, or the G that it kicks out, if there was no room for it.
func (p *locked) put(pp *gmp.P, gp *gmp.G, next bool) (left *gmp.G) {
	unlock := p.of(pp)
	if next {
		old := pp.Runnext.Load()
		pp.Runnext.Store(gp)
		gp = old
	}
	h, t := pp.Runqhead.Load(), pp.Runqtail.Load()
	if gp != nil && t-h < length(pp) {
		pp.Runqtail.Store(t + 1)
		slot(pp, t).Store(gp)
		gp = nil
	}
	unlock()
	if gp != nil && p.s.Runqputslow(pp, gp, h, t) {
		gp = nil
	}
	return gp
}

func (p *locked) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	defer p.of(pp)()
	return p.RunQueue.Runqputslow(pp, gp, h, t)
}

func (p *locked) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue {
	defer p.of(pp)()
	for t := pp.Runqtail.Load(); q.Size > 0 && t-pp.Runqhead.Load() < length(pp); t++ {
		slot(pp, t).Store(q.Pop())
		pp.Runqtail.Store(t + 1)
	}
	return q
}

func (p *locked) Runqget(pp *gmp.P) (*gmp.G, bool) {
	defer p.of(pp)()
	gp := pp.Runnext.Load()
	if gp != nil {
		pp.Runnext.Store(nil)
		return gp, true
	}
	if h := pp.Runqhead.Load(); h != pp.Runqtail.Load() {
		gp = slot(pp, h).Load()
		pp.Runqhead.Store(h + 1)
	}
	return gp, false
}

func (p *locked) Runqdrain(pp *gmp.P) gmp.GQueue {
	defer p.of(pp)()
	return p.RunQueue.Runqdrain(pp)
}

func (p *locked) Runqempty(pp *gmp.P) bool {
	defer p.of(pp)()
	return pp.Runnext.Load() == nil && pp.Runqtail.Load() == pp.Runqhead.Load()
}

func (p *locked) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		n, next := p.grab(pp, batch, batchHead)
		if n > 0 || next == nil || !stealRunNext {
			return n
		}
		if pp.Status.Load() == gmp.Prunning {
			machine.Usleep(3)
		}
		if p.takeNext(pp, next) {
			batch[batchHead%uint32(len(batch))].Store(next)
			return 1
		}
	}
}

func (p *locked) takeNext(pp *gmp.P, next *gmp.G) bool {
	defer p.of(pp)()
	return pp.Runnext.CompareAndSwap(next, nil)
}

// grab takes half of the ring, and says who is in Runnext.
func (p *locked) grab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32) (n uint32, next *gmp.G) {
	defer p.of(pp)()
	h := pp.Runqhead.Load()
	n = (pp.Runqtail.Load() - h + 1) / 2
	for i := range n {
		batch[(batchHead+i)%uint32(len(batch))].Store(slot(pp, h+i).Load())
	}
	pp.Runqhead.Store(h + n)
	return n, pp.Runnext.Load()
}

// keepsTail has private state: the owner keeps its tail to itself, and only tells others
// where it is.
type keepsTail struct {
	gmp.RunQueue
	s     *gmp.Sched
	tails gmp.PerP[struct {
		known bool
		tail  uint32
	}]
}

func (p *keepsTail) tail(pp *gmp.P) *uint32 {
	own := p.tails.Of(pp)
	if !own.known {
		own.known, own.tail = true, pp.Runqtail.Load()
	}
	return &own.tail
}

func (p *keepsTail) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		gp = pp.Runnext.Swap(gp)
	}
	for t := p.tail(pp); gp != nil; {
		h := pp.Runqhead.Load()
		if *t-h == length(pp) {
			if p.s.Runqputslow(pp, gp, h, *t) {
				return
			}
			continue
		}
		slot(pp, *t).Store(gp)
		*t++
		pp.Runqtail.Store(*t)
		return
	}
}

func (p *keepsTail) Runqputbatch(pp *gmp.P, q gmp.GQueue) gmp.GQueue {
	t := p.tail(pp)
	for end := pp.Runqhead.Load() + length(pp); *t != end && q.Head != nil; *t++ {
		slot(pp, *t).Store(q.Pop())
	}
	pp.Runqtail.Store(*t)
	return q
}

func (p *keepsTail) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	gp := p.RunQueue.Runqsteal(pp, p2, stealRunNext)
	p.tails.Of(pp).known = false
	return gp
}

// patient looks at Runnext in the middle of its wait, and begins again as soon as it is
// another one. It looks at Runnext before it looks at the ring.
type patient struct {
	gmp.RunQueue
	s *gmp.Sched
}

func (p patient) Runqgrab(pp *gmp.P, batch []machine.Pointer[gmp.G], batchHead uint32, stealRunNext bool) uint32 {
	for {
		next := pp.Runnext.Load()
		if n := p.RunQueue.Runqgrab(pp, batch, batchHead, false); n > 0 || !stealRunNext || next == nil {
			return n
		}
		for _, us := range []uint32{1, 2} {
			if pp.Status.Load() == gmp.Prunning && pp.Runnext.Load() == next {
				machine.Usleep(us)
			}
		}
		if pp.Runnext.CompareAndSwap(next, nil) {
			batch[batchHead%uint32(len(batch))].Store(next)
			return 1
		}
	}
}

// oneSwapEach takes one G after the other where the solution takes many: an owner may, a
// thief must not.
type oneSwapEach struct {
	gmp.RunQueue
	s *gmp.Sched
}

func (p oneSwapEach) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	if n := length(pp); t-h != n {
		p.s.Throw("runqputslow: queue is not full")
	}
	if !pp.Runqhead.CompareAndSwap(h, h+length(pp)/2) {
		return false
	}
	p.s.Lock.Lock()
	for i := range length(pp) / 2 {
		p.s.Globrunqput(slot(pp, h+i).Load())
	}
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	return true
}

func (p oneSwapEach) Runqdrain(pp *gmp.P) (q gmp.GQueue) {
	if next := pp.Runnext.Swap(nil); next != nil {
		q.PushBack(next)
	}
	for h := pp.Runqhead.Load(); h != pp.Runqtail.Load(); h = pp.Runqhead.Load() {
		if pp.Runqhead.CompareAndSwap(h, h+1) {
			q.PushBack(slot(pp, h).Load())
		}
	}
	return q
}

func (p oneSwapEach) Globrunqputbatch(q gmp.GQueue) {
	for q.Size > 0 {
		p.s.Globrunqput(q.Pop())
	}
}
