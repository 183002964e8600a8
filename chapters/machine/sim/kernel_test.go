package sim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

// A kernel is a machine without a program, to make system calls on.
type kernel struct{ m *machine.Machine }

func newKernel(t *testing.T, opt machine.Options) kernel {
	opt.MemBytes = machine.MinMemBytes
	m, err := machine.New(&machine.Program{}, opt)
	require.NoError(t, err)
	return kernel{m}
}

// call makes a call on a new thread, and again after each signal.
func (k kernel) call(th *machine.Thread, num uint64, args ...uint64) (result uint64, err machine.Errno) {
	c := machine.Syscall{Num: num}
	copy(c.Args[:], args)
	for th.Syscall(&c) {
		th.Signal.Clear()
	}
	return c.Result, c.Err
}

// words returns the address of new memory with these in it.
func (k kernel) words(th *machine.Thread, words ...uint64) machine.Addr {
	at, _ := th.Alloc(int64(8 * len(words)))
	for i, w := range words {
		k.m.SetWord(at+machine.Addr(8*i), w)
	}
	return at
}

func (k kernel) pipe(th *machine.Thread) (r, w uint64) {
	at := k.words(th, 0)
	k.call(th, machine.SysPipe, uint64(at))
	ends := k.m.Word(at)
	return ends & 0xffff, ends >> 32
}

// Who sleeps in the kernel has no CPU, and is woken in virtual time.
func TestKernelLeavesTheCPU(t *testing.T) {
	var read, elapsed int64
	r := simulate(t, Options{CPUs: 1}, func(s *simulation) {
		k := newKernel(t, machine.Options{})
		main, reader := k.m.NewThread(), k.m.NewThread()
		from, to := k.pipe(main)
		machine.Newosproc("reader", func() {
			_, err := k.call(reader, machine.SysRead, from, uint64(k.words(reader, 0)), 8)
			assert.Zero(t, err)
			read = machine.Nanotime()
		})
		spec := k.words(main, 2, 500)
		_, err := k.call(main, machine.SysNanosleep, uint64(spec), 0)
		assert.Zero(t, err)
		elapsed = machine.Nanotime()
		k.call(main, machine.SysWrite, to, uint64(spec), 8)
		machine.Usleep(100)
	})
	assert.InDelta(t, 2e9+500, elapsed, 100_000)
	assert.Greater(t, read, elapsed)
	assert.InDelta(t, elapsed, read, 20_000)
	assert.Less(t, int64(r.CPUs[0].Busy), int64(200_000), "the CPU had nothing to do for two seconds")
}

// A signal ends a sleep, with the rest of its time; it lets a read begin again.
func TestSignalInKernel(t *testing.T) {
	simulate(t, Options{CPUs: 2}, func(s *simulation) {
		k := newKernel(t, machine.Options{})
		main, sleeper := k.m.NewThread(), k.m.NewThread()
		from, to := k.pipe(main)
		var left int64
		again, done := 0, false
		machine.Newosproc("sleeper", func() {
			rest := k.words(sleeper, 0, 0)
			_, err := k.call(sleeper, machine.SysNanosleep, uint64(k.words(sleeper, 3, 0)), uint64(rest))
			assert.Equal(t, machine.EINTR, err)
			left = int64(k.m.Word(rest))*1e9 + int64(k.m.Word(rest+8))
			sleeper.Signal.Clear()

			c := machine.Syscall{Num: machine.SysRead, Args: [3]uint64{from, uint64(rest), 8}}
			for sleeper.Syscall(&c) {
				assert.True(t, sleeper.Signal.Clear())
				again++
			}
			assert.Equal(t, uint64(8), c.Result)
			done = true
		})
		machine.Usleep(1_000_000)
		sleeper.Signal.Send()
		for range 3 {
			machine.Usleep(1000)
			sleeper.Signal.Send()
		}
		machine.Usleep(1000)
		assert.InDelta(t, 2e9, left, 50_000)
		assert.Equal(t, 3, again)
		assert.False(t, done)
		k.call(main, machine.SysWrite, to, uint64(k.words(main, 1)), 8)
		machine.Usleep(1000)
		assert.True(t, done)
	})
}

// A call costs Syscall, and a read of a regular file Disk, which takes no CPU.
func TestCostsOfTheKernel(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte("text"), 0o600))
	c := BareMetal()
	c.Syscall, c.Disk = 300*Nanosecond, 7*Millisecond
	r := simulate(t, Options{CPUs: 1, Costs: c}, func(s *simulation) {
		k := newKernel(t, machine.Options{})
		th := k.m.NewThread()
		began := s.now
		for range 100 {
			k.call(th, machine.SysGetpid)
		}
		assert.Equal(t, 100*c.Syscall, s.now-began)

		at, _ := th.Alloc(int64(len(name)))
		copy(k.m.Bytes(at, int64(len(name))), name)
		began = s.now
		fd, err := k.call(th, machine.SysOpen, uint64(at), uint64(len(name)))
		assert.Zero(t, err)
		assert.Less(t, s.now-began, Microsecond)
		began = s.now
		n, err := k.call(th, machine.SysRead, fd, uint64(at), 4)
		assert.Equal(t, uint64(4), n)
		assert.Zero(t, err)
		assert.InDelta(t, float64(c.Disk), float64(s.now-began), float64(20*Microsecond))
	})
	assert.Less(t, Time(r.CPUs[0].Busy)*Nanosecond, Millisecond)
}

// Standard input is there at once: a simulation does not wait for a real clock.
func TestStdinOnSimulatedCPUs(t *testing.T) {
	simulate(t, Options{CPUs: 1}, func(s *simulation) {
		k := newKernel(t, machine.Options{Stdin: strings.NewReader("typed")})
		th := k.m.NewThread()
		for _, want := range []uint64{4, 1, 0, 0} {
			n, err := k.call(th, machine.SysRead, 0, uint64(k.words(th, 0)), 4)
			assert.Equal(t, want, n)
			assert.Zero(t, err)
		}
	})
}

// All that happens in the kernel happens in the order of virtual time: the same seed
// gives the same run.
func TestKernelKeepsToTheSeed(t *testing.T) {
	play := func(seed uint64) Report {
		return simulate(t, Options{CPUs: 3, Seed: seed}, func(s *simulation) {
			k := newKernel(t, machine.Options{})
			main := k.m.NewThread()
			from, to := k.pipe(main)
			var threads []*machine.Thread
			for i := range 4 {
				th := k.m.NewThread()
				threads = append(threads, th)
				machine.Newosproc("", func() {
					for range 20 {
						if i < 2 {
							k.call(th, machine.SysWrite, to, uint64(k.words(th, 1, 2)), 16)
						} else {
							k.call(th, machine.SysRead, from, uint64(k.words(th, 0)), 8)
						}
					}
				})
			}
			for i := range 20 {
				machine.Usleep(7)
				threads[i%4].Signal.Send()
			}
			machine.Usleep(1000)
		})
	}
	assert.Equal(t, play(1), play(1))
	assert.NotEqual(t, play(1).Digest, play(2).Digest)
}

// Whoever is behind goes first, before another thread changes something in the kernel.
func TestKernelStepsComeInOrder(t *testing.T) {
	simulate(t, Options{CPUs: 2}, func(s *simulation) {
		said := ""
		machine.Newosproc("other", func() { said = "first" })
		s.Ran(20_000)
		s.Kernel(machine.NewID())
		assert.Equal(t, "first", said)
	})
}
