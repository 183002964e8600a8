// Package machine is the computer on which the scheduler under construction
// runs: a CPU that can be interrupted at any instruction, flat memory, threads
// and what threads need to wait for each other.
//
// A goroutine on this machine is what it is on a real one: a stack in memory
// and a saved Context. Run executes a Context until it traps, because the
// program called the runtime, because a signal is pending, or because of a
// fault. The Go code after Run is what the runtime calls g0: landing there is
// the switch to it.
package machine

import (
	"errors"
	"fmt"
	"io"
)

// Options are the settings of a Machine.
type Options struct {
	MemBytes       int64     // size of memory; 0 means DefaultMemBytes
	Stdin          io.Reader // the program's standard input; nil is empty
	Stdout, Stderr io.Writer // where the program's output goes; nil discards it
	Args           []string  // the program's arguments, the first is its name; nil means only a name
	Network        Network   // where the program's sockets are
	Files          int       // how many descriptors there are; 0 means 1024, as by default on Linux

	// GCEvery, if not 0, asks for a collection at every so many allocations of each thread:
	// for tests, as is PoisonFreed, which fills what was freed. With GCSlice, if not 0, such
	// a collection is not done at once: each time that one is asked for, it goes on for about so many
	// bytes, and in between the program runs.
	GCEvery     int
	GCSlice     int64
	PoisonFreed bool
}

// A Machine is a program in memory and the room that it works in. It is shared
// by its threads. It holds nothing but Go memory: to be rid of it, drop it.
type Machine struct {
	Memory
	oneCPU  bool     // see OneCPU
	Program *Program // constant after New, as are Options
	Options Options

	entries  []PC    // of Program.Funcs, close together for CALL
	fused    []Instr // see fuse.go
	sites    []newSite
	zeroBase Addr // the address of all objects of no bytes
	arena    arena
	power    power
	kernel   kernel
}

var (
	spareMachines Spare[Machine]
	spareThreads  Spare[Thread]
)

// New makes a machine with prog in its memory: above the nil page the data
// segment, then the heap, which grows upward, and at the end the stacks. The
// error says why prog cannot run in so much memory.
func New(prog *Program, opt Options) (*Machine, error) {
	if !littleEndian() {
		return nil, errors.New("the machine runs only on processors with little-endian byte order")
	}
	fused, err := prog.prepare()
	if err != nil {
		return nil, fmt.Errorf("not a program: %w", err)
	}
	mem, err := newMemory(opt.MemBytes)
	if err != nil {
		return nil, err
	}
	if opt.Stdout == nil {
		opt.Stdout = io.Discard
	}
	if opt.Stderr == nil {
		opt.Stderr = io.Discard
	}
	m := spareMachines.New()
	m.Memory, m.Program, m.Options = mem, prog, opt
	m.fused, m.entries = fused, make([]PC, len(prog.Funcs))
	for i := range prog.Funcs {
		m.entries[i] = prog.Funcs[i].Entry
	}
	m.zeroBase = Addr(NilPage+len(prog.Data)+7) &^ 7
	m.arena.mem = &m.Memory
	m.arena.lo = (m.zeroBase + 8 + pageBytes - 1) &^ (pageBytes - 1)
	m.arena.heap.init(m)
	m.sites = prog.newSites()
	m.arena.hi = Addr(m.size)
	if m.arena.lo > m.arena.hi {
		return nil, fmt.Errorf("the program's data takes %d bytes, and the memory has only %d: make it larger", len(prog.Data), m.size)
	}
	m.kernel.boot(opt)
	if opt.Network == HostNetwork && !hostHasNetwork {
		return nil, errors.New("the network of the host cannot be used on this system: take the machine's own")
	}
	copy(m.Bytes(NilPage, int64(len(prog.Data))), prog.Data)
	return m, nil
}

// OneCPU says that from now on at most one thread of the host uses the mutexes of m,
// or, with false, that there may be more. It is called by that one thread, and before
// it starts the next. A locked instruction of the host costs several times what the
// rest of Lock does, so while there is one CPU a Mutex does without; Linux also takes
// the lock prefixes out of its code on such a computer. A Hook sees no difference. When
// there are more already, to say so again is no mistake, and any of them may.
func (m *Machine) OneCPU(yes bool) {
	if m.oneCPU != yes { // else others read it
		m.oneCPU = yes
	}
}

// A Thread is a CPU of the machine with its allocation cache. One thread of the
// host owns it, an M; no other may use it, except to send it the Signal.
type Thread struct {
	Signal    Signal // what interrupts its program
	m         *Machine
	caches    [2 * numClasses]cache // first those of objects without pointers
	collected bool                  // see due
	allocs    int                   // counted for Options.GCEvery

	// Its sleep in a system call; see sleep.go.
	note   Note
	asleep bool   // under the kernel's lock
	queue  *waitq // likewise: where it waits, nil if only for the time
}

// NewThread makes a CPU. Any thread may call it. m is nil in a model that has no
// machine; the Thread then has nothing but its Signal.
func (m *Machine) NewThread() *Thread {
	t := spareThreads.New()
	t.m, t.Signal.thread = m, t
	t.note.On(m)
	if m != nil {
		m.arena.mu.Lock()
		m.arena.heap.threads = append(m.arena.heap.threads, t)
		m.arena.mu.Unlock()
	}
	return t
}

// Machine returns the machine that t is a CPU of.
func (t *Thread) Machine() *Machine { return t.m }

// Format keeps package fmt from printing all that the machine has, by which a part could know what
// it runs.
func (*Machine) Format(f fmt.State, _ rune) { io.WriteString(f, "the machine") }
