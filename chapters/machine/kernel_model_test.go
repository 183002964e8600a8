package machine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// A computer is a machine without a program, with memory to make system calls with.
type computer struct {
	t interface {
		Errorf(format string, args ...any)
	}
	m    *machine.Machine
	boot *machine.Thread
}

func newComputer(t assert.TestingT, opt machine.Options) *computer {
	opt.MemBytes = max(opt.MemBytes, machine.MinMemBytes)
	m, err := machine.New(&machine.Program{}, opt)
	if err != nil {
		panic(err)
	}
	return &computer{t: t, m: m, boot: m.NewThread()}
}

// memory returns the address of some of it with data in it.
func (c *computer) memory(th *machine.Thread, data string, n int64) machine.Addr {
	at, ok := th.Alloc(max(n, int64(len(data)), 1))
	if !ok {
		panic("out of memory")
	}
	copy(c.m.Bytes(at, int64(len(data))), data)
	return at
}

// call makes a call as the router does: again after a signal, which it clears.
func (c *computer) call(th *machine.Thread, num uint64, args ...uint64) (result int, errno machine.Errno) {
	s := machine.Syscall{Num: num}
	copy(s.Args[:], args)
	for th.Syscall(&s) {
		th.Signal.Clear()
	}
	return int(int64(s.Result)), s.Err
}

func (c *computer) pipe() (r, w uint64) {
	at := c.memory(c.boot, "", 8)
	if _, err := c.call(c.boot, machine.SysPipe, uint64(at)); err != 0 {
		panic(err)
	}
	b := c.m.Bytes(at, 8)
	return uint64(b[0]), uint64(b[4])
}

func (c *computer) write(th *machine.Thread, fd uint64, data string) (int, machine.Errno) {
	return c.call(th, machine.SysWrite, fd, uint64(c.memory(th, data, 0)), uint64(len(data)))
}

func (c *computer) read(th *machine.Thread, fd uint64, n int64) (string, machine.Errno) {
	at := c.memory(th, "", n)
	got, err := c.call(th, machine.SysRead, fd, uint64(at), uint64(n))
	return c.m.String(at, max(0, int64(got))), err
}

func (c *computer) close(th *machine.Thread, fd uint64) machine.Errno {
	_, err := c.call(th, machine.SysClose, fd)
	return err
}

// nanosleep returns the rest in ns, -1 if it was not written.
func (c *computer) nanosleep(th *machine.Thread, ns int64) (rest int64, err machine.Errno) {
	at := c.memory(th, "", 32)
	c.m.SetWord(at, uint64(ns/1e9))
	c.m.SetWord(at+8, uint64(ns%1e9))
	c.m.SetWord(at+16, 1<<63)
	_, err = c.call(th, machine.SysNanosleep, uint64(at), uint64(at+16))
	if c.m.Word(at+16) == 1<<63 {
		return -1, err
	}
	return int64(c.m.Word(at+16))*1e9 + int64(c.m.Word(at+24)), err
}

// explored explores a model to its end, and fails if it cannot.
func explored(t *testing.T, model func(m *explore.Model)) {
	r := explore.Explore(explore.Options{}, model)
	require.Nil(t, r.Failure, "%v", r.Failure)
	assert.True(t, r.Exhaustive, "%v", r)
	t.Log(r)
}

// What is written is read, once and in order, whoever sleeps on whom; then comes the end.
func TestModelPipe(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		r, w := c.pipe()
		reader, writer := c.m.NewThread(), c.m.NewThread()
		got := ""
		m.Thread("reader", func() {
			for {
				s, err := c.read(reader, r, 2)
				if assert.Zero(m, err); s == "" {
					return
				}
				got += s
			}
		})
		m.Thread("writer", func() {
			for _, s := range []string{"abc", "d"} {
				n, err := c.write(writer, w, s)
				assert.Equal(m, len(s), n)
				assert.Zero(m, err)
			}
			assert.Zero(m, c.close(writer, w))
		})
		m.Check(func() { assert.Equal(m, "abcd", got) })
	})
}

// Two readers sleep on one pipe: each byte goes to one of them, none of them sleeps
// while there is one, and both learn of the end.
func TestModelPipeWithTwoReaders(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		r, w := c.pipe()
		got := ""
		for range 2 {
			th := c.m.NewThread()
			m.Thread("reader", func() {
				for {
					s, err := c.read(th, r, 1)
					if assert.Zero(m, err); s == "" {
						return
					}
					got += s
				}
			})
		}
		writer := c.m.NewThread()
		m.Thread("writer", func() {
			c.write(writer, w, "ab")
			c.close(writer, w)
		})
		m.Check(func() { assert.Contains(m, []string{"ab", "ba"}, got) })
	})
}

// A signal that meets data, before, while and after the reader sleeps: the read goes on
// after it, and nothing is lost, neither of the data nor of the signal.
func TestModelSignalMeetsData(t *testing.T) {
	taken := map[int]bool{}
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		r, w := c.pipe()
		reader, writer := c.m.NewThread(), c.m.NewThread()
		signals := 0
		m.Thread("reader", func() {
			at := c.memory(reader, "", 4)
			call := machine.Syscall{Num: machine.SysRead, Args: [3]uint64{r, uint64(at), 4}}
			for reader.Syscall(&call) {
				assert.True(m, reader.Signal.Clear(), "it was interrupted by a signal")
				signals++
			}
			assert.Zero(m, call.Err)
			assert.Equal(m, "x", c.m.String(at, int64(call.Result)))
		})
		m.Thread("writer", func() { c.write(writer, w, "x") })
		m.Thread("sender", reader.Signal.Send)
		m.Check(func() {
			if reader.Signal.Clear() {
				signals++ // for the next instruction of its program
			} else {
				taken[signals] = true
			}
			assert.Equal(m, 1, signals)
		})
	})
	assert.True(t, taken[1], "some read was interrupted")
}

// A signal alone wakes a thread that would otherwise sleep for ever.
func TestModelSignalIsNotLost(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		r, _ := c.pipe()
		reader := c.m.NewThread()
		m.Thread("reader", func() {
			at := c.memory(reader, "", 4)
			call := machine.Syscall{Num: machine.SysRead, Args: [3]uint64{r, uint64(at), 4}}
			assert.True(m, reader.Syscall(&call))
			assert.True(m, reader.Signal.Clear())
		})
		m.Thread("sender", reader.Signal.Send)
	})
}

// The end of the time meets two signals. Each wake-up belongs to one sleep: the next
// sleep of the thread, for data, is not ended by an old one.
func TestModelTimeMeetsSignals(t *testing.T) {
	ends := map[machine.Errno]bool{}
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		r, w := c.pipe()
		sleeper, writer := c.m.NewThread(), c.m.NewThread()
		m.Thread("sleeper", func() {
			at := c.memory(sleeper, "\x00\x00\x00\x00\x00\x00\x00\x00\x05", 16)
			call := machine.Syscall{Num: machine.SysNanosleep, Args: [3]uint64{uint64(at)}}
			assert.False(m, sleeper.Syscall(&call), "it is never to be made again")
			ends[call.Err] = true
			sleeper.Signal.Clear()
			s, err := c.read(sleeper, r, 1)
			assert.Equal(m, "x", s)
			assert.Zero(m, err)
		})
		m.Thread("sender", sleeper.Signal.Send)
		m.Thread("writer", func() { c.write(writer, w, "x") })
	})
	assert.True(t, ends[0])
	assert.True(t, ends[machine.EINTR])
}

// A writer sleeps on a full pipe; the reader makes room, or goes away.
func TestModelFullPipe(t *testing.T) {
	full := string(slices.Repeat([]byte{'.'}, 64<<10))
	outcomes := map[machine.Errno]bool{}
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{MemBytes: 256 << 10})
		r, w := c.pipe()
		n, err := c.write(c.boot, w, full)
		assert.Equal(m, len(full), n)
		assert.Zero(m, err)
		writer, reader := c.m.NewThread(), c.m.NewThread()
		m.Thread("writer", func() {
			n, err := c.write(writer, w, "ab")
			outcomes[err] = true
			switch err {
			case 0:
				assert.Equal(m, 2, n)
			default:
				assert.Equal(m, machine.EPIPE, err)
				assert.Equal(m, -1, n)
			}
		})
		m.Thread("reader", func() {
			at := c.memory(reader, "", 1)
			for range 2 { // room for one byte is none for two that belong together
				n, err := c.call(reader, machine.SysRead, r, uint64(at), 1)
				assert.Equal(m, 1, n)
				assert.Zero(m, err)
			}
			assert.Zero(m, c.close(reader, r))
		})
	})
	assert.True(t, outcomes[0])
	assert.True(t, outcomes[machine.EPIPE])
}

// A descriptor that is closed while another thread sleeps on it leaves the file open for
// that one.
func TestModelCloseWhileOthersSleep(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		r, w := c.pipe()
		reader, other := c.m.NewThread(), c.m.NewThread()
		m.Thread("reader", func() {
			s, err := c.read(reader, r, 4)
			if err == machine.EBADF {
				return // it came too late
			}
			assert.Zero(m, err)
			assert.Equal(m, "x", s)
		})
		m.Thread("other", func() {
			assert.Zero(m, c.close(other, r))
			n, err := c.write(other, w, "x")
			if err != 0 {
				assert.Equal(m, machine.EPIPE, err)
				assert.Equal(m, -1, n)
			}
		})
	})
}
