package gmp

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"gosched/chapters/machine"
)

// This file is what the parts of chapters 3 and 4 find in place: the memory of
// a channel, moving values in it, and the results of an operation that had to
// wait.

// MaxAlloc is one more than the number of bytes that a channel's buffer may
// have, whether there is that much memory or not: the runtime's maxAlloc on
// amd64.
const MaxAlloc = 1 << 48

// hchanHeader is the size in bytes of what the program has of a channel before
// the buffer: one word, the channel's number.
const hchanHeader = 8

// NewHchan makes an open channel with an empty buffer of size elements, all in
// one object of the machine's memory. size must not be negative, and the buffer
// must be smaller than MaxAlloc; throws "out of memory" if there is no room. mp
// is the caller's.
func (s *Sched) NewHchan(mp *M, elem *machine.Type, size int64) *Hchan {
	bytes := elem.Size * size
	addr, ok := mp.Thread.AllocChan(elem, size)
	if !ok {
		s.stderr("runtime: out of memory: cannot allocate %d-byte block\n", bytes)
		s.Throw("out of memory")
	}
	c := &Hchan{Addr: addr, Elem: elem, Dataqsiz: uint64(size)}
	if bytes > 0 {
		c.Buf = addr + hchanHeader
	}
	lock(s.Machine, &c.Lock, hchanLock)
	c.together()
	s.Machine.SetWord(addr, s.run.hchans.add(c, addr))
	return c
}

// Hchan returns the channel whose address the program holds, nil for 0.
func (s *Sched) Hchan(addr machine.Addr) *Hchan {
	if addr == 0 {
		return nil
	}
	return s.run.hchans.at(s.Machine.Word(addr))
}

// lenCap is len(c) and cap(c): 0 for a nil channel, and for that of a timer,
// which has no buffer as far as the program knows.
func (c *Hchan) lenCap() (n, size uint64) {
	if c == nil || c.Timer != nil {
		return 0, 0
	}
	c.Lock.Lock()
	defer c.Lock.Unlock()
	return c.Qcount.Get(), c.Dataqsiz
}

// Chanbuf is the address of slot i of c's buffer. The runtime's chanbuf.
func (c *Hchan) Chanbuf(i uint64) machine.Addr {
	return c.Buf + machine.Addr(i)*machine.Addr(c.Elem.Size)
}

// Typedmemmove copies a value of type t from src to dst. For a type of no size
// both may be anything. The runtime's typedmemmove.
func (s *Sched) Typedmemmove(t *machine.Type, dst, src machine.Addr) {
	s.Machine.BulkBarrierPreWrite(t, dst, src)
	s.Machine.Copy(dst, src, t.Size)
}

// Typedmemclr makes the value of type t at dst zero. The runtime's typedmemclr.
func (s *Sched) Typedmemclr(t *machine.Type, dst machine.Addr) {
	s.Machine.BulkBarrierPreWrite(t, dst, 0)
	s.Machine.Clear(dst, t.Size)
}

// SetReceived stores the result of the receive operation of gp that is under
// way: whether a value came. Only gp's context says where that goes, since its
// stack may have moved while it waited.
func (s *Sched) SetReceived(gp *G, received bool) {
	s.setResult(gp, recvReceived, word(received))
}

// SetSelected stores the results of gp's select that is under way: the index of
// the case, and for a receive whether a value came.
func (s *Sched) SetSelected(gp *G, chosen int, received bool) {
	s.setResult(gp, selectChosen, uint64(chosen))
	s.setResult(gp, selectReceived, word(received))
}

// Where results are in the block of arguments of a trap, in words.
const (
	recvReceived   = 2
	selectChosen   = 3
	selectReceived = 4
)

func (s *Sched) setResult(gp *G, i int, v uint64) {
	s.Machine.SetWord(gp.Sched.Args+machine.Addr(8*i), v)
}

// word is a bool as the machine has it.
func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// scases reads the cases of the select that gp is about to do. They are valid
// until its next one.
func (s *Sched) scases(gp *G, addr machine.Addr, n int) []Scase {
	if gp.scases == nil {
		gp.scases = new([]Scase)
	}
	if n > cap(*gp.scases) {
		*gp.scases = make([]Scase, n)
	}
	cases := (*gp.scases)[:n]
	for i := range cases {
		at := addr + machine.Addr(32*i)
		cases[i] = Scase{
			C:    s.Hchan(machine.Addr(s.Machine.Word(at))),
			Elem: machine.Addr(s.Machine.Word(at + 8)),
			Send: s.Machine.Word(at+16) != 0,
		}
	}
	return cases
}

// notifyList returns the list of the sync.Cond whose first word is at addr. That
// word is 0 until the list is used.
func (s *Sched) notifyList(addr machine.Addr) *NotifyList {
	s.run.notify.Lock()
	defer s.run.notify.Unlock()
	word := s.Machine.Bytes(addr, 8) // which no hook sees, since it does not see the lock
	number := binary.NativeEndian.Uint64(word)
	if number == 0 {
		list := new(NotifyList)
		list.together()
		number = s.run.lists.add(list, addr)
		binary.NativeEndian.PutUint64(word, number)
	}
	return s.run.lists.at(number)
}

// A numbered is a table of things to which the program's memory refers by
// number, each from one address. Readers take no lock; a reader that has a number got it from the
// program, and so after the thing was added. When the collector finds that nothing leads to the
// address any more, the number is free for another thing.
type numbered[T any] struct {
	grow  sync.Mutex
	free  []uint64 // numbers
	addrs []machine.Addr
	// things has nil in place 0, which is no number, and where a number is free. When it is full
	// a longer one takes its place: readers find in either what was there when they got their number.
	things atomic.Pointer[[]*T]
}

// add returns the number of v, from 1. It is about to be stored in the object at addr, 0 if it
// is for something that is no object, and never swept.
func (t *numbered[T]) add(v *T, addr machine.Addr) uint64 {
	t.grow.Lock()
	defer t.grow.Unlock()
	if last := len(t.free) - 1; last >= 0 {
		number := t.free[last]
		t.free = t.free[:last]
		(*t.things.Load())[number], t.addrs[number] = v, addr
		return number
	}
	number := len(t.addrs)
	if number == 0 {
		t.addrs = append(t.addrs, 0)
		number = 1
	}
	t.addrs = append(t.addrs, addr)
	if old := t.things.Load(); old == nil || number == len(*old) {
		things := make([]*T, max(16, 2*number))
		if old != nil {
			copy(things, *old)
		}
		t.things.Store(&things)
	}
	(*t.things.Load())[number] = v
	return uint64(number)
}

func (t *numbered[T]) at(number uint64) *T { return (*t.things.Load())[number] }

// all calls yield for each thing and its address. The world is stopped.
func (t *numbered[T]) all(yield func(v *T, addr machine.Addr)) {
	for number, addr := range t.addrs {
		if v := t.at(uint64(number)); v != nil {
			yield(v, addr)
		}
	}
}

// sweep frees the numbers of those for whose address kept is false. The world is stopped.
func (t *numbered[T]) sweep(kept func(addr machine.Addr) bool) {
	for number, addr := range t.addrs {
		if thing := &(*t.things.Load())[number]; *thing != nil && !kept(addr) {
			*thing = nil
			t.free = append(t.free, uint64(number))
		}
	}
}
