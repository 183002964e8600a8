package machine

import "testing"

// sumLoop folds the numbers below its argument, in seven instructions each.
func sumLoop() *Program {
	b := newBuilder()
	b.data(0)
	const n = 8 + ArgBase
	b.fn("main.main", 8, 1)
	b.imm(LDI, 0, 0) // i
	b.imm(LDI, 1, 0) // sum
	b.imm(LDI, 6, NilPage)
	b.label("for")
	b.op(XOR, 0, 2, 0, 1)
	b.op(ADD, 0, 1, 1, 2)
	b.op(ADDI, 0, 0, 0, 1)
	b.op(MOV, 0, 3, 1, 0)
	b.op(EXT, int(ExtI32), 4, 3, 0)
	b.op(ST64, 0, 6, 4, 0)
	b.jump(JLT, 0, n, "for")
	b.ret()
	return b.program()
}

// benchLoop runs about b.N instructions: ns/op is nanoseconds an instruction.
func benchLoop(b *testing.B, run func(t *Thread, c *Context) Trap) {
	m := newMachine(b, sumLoop())
	c, _ := start(b, m, 2048, uint64(b.N)/7)
	th := m.NewThread()
	b.ResetTimer()
	if trap := run(th, c); trap != TrapGoexit {
		b.Fatal(trap)
	}
}

func BenchmarkRun(b *testing.B) {
	benchLoop(b, (*Thread).Run)
}

// A store of a number, of an address, and of an address while a collection marks, with a jump.
func BenchmarkStore(b *testing.B) {
	bench := func(name string, op Op, marking bool) {
		b.Run(name, func(b *testing.B) {
			p := newBuilder()
			p.data(0)
			p.fn("main.main", 8, 1)
			p.imm(LDI, 0, 0)
			p.imm(LDI, 6, NilPage)
			p.label("for")
			p.op(op, 0, 6, 6, 0)
			p.op(op, 0, 6, 6, 0)
			p.op(op, 0, 6, 6, 0)
			p.op(ADDI, 0, 0, 0, 1)
			p.jump(JLT, 0, 8+ArgBase, "for")
			p.ret()
			m := newMachine(b, p.program())
			c, _ := start(b, m, 2048, uint64(b.N)/3)
			th := m.NewThread()
			if marking {
				m.GCStart()
			}
			b.ResetTimer()
			if trap := th.Run(c); trap != TrapGoexit {
				b.Fatal(trap)
			}
		})
	}
	bench("number", ST64, false)
	bench("address", STP, false)
	bench("marking", STP, true)
}

func BenchmarkRunN(b *testing.B) {
	benchLoop(b, func(t *Thread, c *Context) Trap {
		_, trap := t.RunN(c, 1<<62)
		return trap
	})
}

// A call, a trap, a new object and a new machine, in nanoseconds each.
func BenchmarkFib(b *testing.B) {
	m := newMachine(b, fib())
	th := m.NewThread()
	st, _ := m.StackAlloc(4096)
	const calls = 1973 // of fib(15)
	for range b.N/calls + 1 {
		th.RunN(startOn(m, st, 15, 0), 1<<62)
	}
}

func BenchmarkTrap(b *testing.B) {
	p := newBuilder()
	p.fn("main.main", 1, 0)
	p.label("for")
	p.trap(TrapGosched, 0)
	p.jump(JMP, 0, 0, "for")
	m := newMachine(b, p.program())
	c, _ := start(b, m, 2048)
	th := m.NewThread()
	for range b.N {
		th.RunN(c, 1<<62)
	}
}

// With what it costs to collect them: none is needed.
func BenchmarkAlloc(b *testing.B) {
	m := newMachine(b, &Program{})
	th := m.NewThread()
	for range b.N {
		if _, ok := th.Alloc(32); !ok {
			m.GCStart()
			m.GCSweep()
		}
	}
}

func BenchmarkNew(b *testing.B) {
	p := fib()
	for range b.N {
		if _, err := New(p, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Two threads wake each other by turns: nanoseconds a round trip.
func BenchmarkNote(b *testing.B) {
	var there, back Note
	Newosproc("other", func() {
		for range b.N {
			there.Sleep()
			there.Clear()
			back.Wakeup()
		}
	})
	done := make(chan bool)
	Newosproc("one", func() {
		for range b.N {
			there.Wakeup()
			back.Sleep()
			back.Clear()
		}
		close(done)
	})
	<-done
}
