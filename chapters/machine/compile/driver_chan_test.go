package compile_test

import (
	"slices"

	"gosched/chapters/machine"
)

// Channels of the driver. A goroutine that waits stays in one list until some
// other one can go on with it; what it waits for is read from its block of
// arguments, where it lies now.

// A channel of the driver.
type channel struct {
	size   int64 // of an element
	room   int
	buf    [][]byte
	closed bool
}

// An op is one thing that a goroutine wants of a channel.
type op struct {
	gp    *goroutine
	index int // of the case of a select
	ch    *channel
	at    machine.Addr
	send  bool
}

// ops returns what gp waits for, or is about to.
func (d *driver) ops(gp *goroutine) []op {
	word := func(at machine.Addr, i int) uint64 { return d.m.Word(at + machine.Addr(8*i)) }
	one := func(at machine.Addr, i int, send bool) op {
		return op{gp, i, d.chans[word(at, 0)], machine.Addr(word(at, 1)), send}
	}
	switch gp.op {
	default:
		return nil
	case machine.TrapChansend, machine.TrapChanrecv:
		return []op{one(gp.Args, 0, gp.op == machine.TrapChansend)}
	case machine.TrapSelectgo:
	}
	var all []op
	cases := machine.Addr(word(gp.Args, 0))
	for i := range int(word(gp.Args, 1)) {
		at := cases + machine.Addr(32*i)
		all = append(all, one(at, i, word(at, 2) != 0))
	}
	return all
}

// finish stores the results of an operation that gp is done with.
func (d *driver) finish(o op, received bool) {
	set := func(i int, v uint64) { d.m.SetWord(o.gp.Args+machine.Addr(8*i), v) }
	ok := uint64(0)
	if received {
		ok = 1
	}
	switch o.gp.op {
	case machine.TrapChanrecv:
		set(2, ok)
	case machine.TrapSelectgo:
		set(3, uint64(o.index))
		set(4, ok)
	}
}

// partner takes a goroutine out of the waiting list that wants the opposite of o.
func (d *driver) partner(o op) (op, bool) {
	for i, gp := range d.blocked {
		for _, p := range d.ops(gp) {
			if p.ch == o.ch && p.send != o.send {
				d.blocked = slices.Delete(d.blocked, i, i+1)
				d.queue = append(d.queue, gp)
				return p, true
			}
		}
	}
	return op{}, false
}

func (d *driver) value(o op) []byte { return slices.Clone(d.m.Bytes(o.at, o.ch.size)) }

func (d *driver) store(o op, v []byte) {
	if o.at != 0 {
		copy(d.m.Bytes(o.at, o.ch.size), v)
	}
}

// try does o if it can be done now. panics says that it must panic.
func (d *driver) try(o op) (done, panics bool) {
	ch := o.ch
	switch {
	case ch == nil:
		return false, false
	case o.send && ch.closed:
		return true, true
	case o.send:
		if p, ok := d.partner(o); ok {
			d.store(p, d.value(o))
			d.finish(p, true)
		} else if len(ch.buf) < ch.room {
			ch.buf = append(ch.buf, d.value(o))
		} else {
			return false, false
		}
		d.finish(o, false)
		return true, false
	case len(ch.buf) > 0:
		d.store(o, ch.buf[0])
		ch.buf = ch.buf[1:]
		if p, ok := d.partner(o); ok {
			ch.buf = append(ch.buf, d.value(p))
			d.finish(p, false)
		}
		d.finish(o, true)
		return true, false
	case ch.closed:
		d.store(o, make([]byte, ch.size))
		d.finish(o, false)
		return true, false
	}
	p, ok := d.partner(o)
	if ok {
		d.store(o, d.value(p))
		d.finish(p, false)
		d.finish(o, true)
	}
	return ok, false
}

// chanOp handles the traps of channels. It reports whether gp goes on at once,
// and what it panics with.
func (d *driver) chanOp(gp *goroutine, trap machine.Trap) (resume bool, panics string) {
	gp.op = trap
	arg := func(i int) uint64 { return d.m.Word(gp.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { d.m.SetWord(gp.Args+machine.Addr(8*i), v) }
	ch := d.chans[arg(0)]
	switch trap {
	case machine.TrapMakechan:
		size, room := d.m.Program.Types[arg(0)].Size, int64(arg(1))
		if room < 0 || size > 0 && room > (1<<48-96)/size {
			return true, "makechan: size out of range"
		}
		addr, _ := d.t.Alloc(8)
		d.chans[uint64(addr)] = &channel{size: size, room: int(room)}
		result(2, uint64(addr))
	case machine.TrapClosechan:
		switch {
		case ch == nil:
			return true, "close of nil channel"
		case ch.closed:
			return true, "close of closed channel"
		}
		for { // before it is closed: those who send panic
			p, ok := d.partner(op{ch: ch})
			if !ok {
				break
			}
			p.gp.panics = "send on closed channel"
		}
		for {
			p, ok := d.partner(op{ch: ch, send: true})
			if !ok {
				break
			}
			d.store(p, make([]byte, ch.size))
			d.finish(p, false)
		}
		ch.closed = true
	case machine.TrapChanlen, machine.TrapChancap:
		n := 0
		if ch != nil && trap == machine.TrapChanlen {
			n = len(ch.buf)
		} else if ch != nil {
			n = ch.room
		}
		result(1, uint64(n))
	default:
		for _, o := range d.ops(gp) {
			if done, panics := d.try(o); panics {
				return true, "send on closed channel"
			} else if done {
				return true, ""
			}
		}
		if trap == machine.TrapSelectgo && arg(2) == 0 {
			result(3, ^uint64(0))
			return true, ""
		}
		d.blocked = append(d.blocked, gp)
		return false, ""
	}
	return true, ""
}
