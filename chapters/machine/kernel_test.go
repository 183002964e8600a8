package machine_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

func TestPipe(t *testing.T) {
	c := newComputer(t, machine.Options{MemBytes: 1 << 20})
	th := c.boot
	r, w := c.pipe()
	assert.Equal(t, []uint64{3, 4}, []uint64{r, w}, "the lowest descriptors that are free")
	for _, s := range []string{"abc", "", "de"} {
		n, err := c.write(th, w, s)
		assert.Equal(t, len(s), n)
		assert.Zero(t, err)
	}
	for _, want := range []string{"", "abcd", "e"} {
		got, err := c.read(th, r, int64(len(want)))
		assert.Equal(t, want, got)
		assert.Zero(t, err)
	}
	n, err := c.write(th, r, "x")
	assert.Equal(t, machine.EBADF, err)
	assert.Equal(t, -1, n)
	_, err = c.read(th, w, 1)
	assert.Equal(t, machine.EBADF, err)

	c.write(th, w, "left")
	assert.Zero(t, c.close(th, w))
	assert.Equal(t, machine.EBADF, c.close(th, w))
	for _, want := range []string{"left", "", ""} {
		got, err := c.read(th, r, 9)
		assert.Equal(t, want, got, "what is in it, then the end")
		assert.Zero(t, err)
	}
	r2, w2 := c.pipe()
	assert.Equal(t, []uint64{4, 5}, []uint64{r2, w2}, "the one that was closed is used again")
	c.close(th, r2)
	_, err = c.write(th, w2, "x")
	assert.Equal(t, machine.EPIPE, err)
	n, err = c.write(th, w2, "")
	assert.Zero(t, n)
	assert.Zero(t, err)
}

func TestBadCalls(t *testing.T) {
	c := newComputer(t, machine.Options{})
	th := c.boot
	at := uint64(c.memory(th, "0123456789abcdef", 0))
	size := uint64(c.m.Size())
	for _, call := range []struct {
		want machine.Errno
		num  uint64
		args []uint64
	}{
		{machine.ENOSYS, 999, nil},
		{machine.EBADF, machine.SysRead, []uint64{math.MaxUint64, at, 1}},
		{machine.EBADF, machine.SysRead, []uint64{77, at, 1}},
		{machine.EBADF, machine.SysRead, []uint64{1, at, 1}},
		{machine.EBADF, machine.SysWrite, []uint64{0, at, 1}},
		{machine.EINVAL, machine.SysRead, []uint64{0, at, math.MaxUint64}},
		{machine.EFAULT, machine.SysRead, []uint64{0, 8, 1}},
		{machine.EFAULT, machine.SysWrite, []uint64{1, size - 4, 8}},
		{machine.EBADF, machine.SysClose, []uint64{77}},
		{machine.EFAULT, machine.SysPipe, []uint64{0}},
		{machine.EFAULT, machine.SysOpen, []uint64{0, 3, 0}},
		{machine.EROFS, machine.SysOpen, []uint64{at, 3, 1}},
		{machine.ENOENT, machine.SysOpen, []uint64{at, 3, 0}},
		{machine.EFAULT, machine.SysNanosleep, []uint64{0, 0}},
		{machine.EFAULT, machine.SysNanosleep, []uint64{at, size}},
		{machine.EINVAL, machine.SysNanosleep, []uint64{at, 0}},
	} {
		n, err := c.call(th, call.num, call.args...)
		assert.Equal(t, call.want, err, "%v", call)
		assert.Equal(t, -1, n)
	}
	pid, err := c.call(th, machine.SysGetpid)
	assert.Positive(t, pid)
	assert.Zero(t, err)
	_, err = c.nanosleep(th, 0)
	assert.Zero(t, err)

	pipes := 0
	for ; err == 0; pipes++ {
		_, err = c.call(th, machine.SysPipe, at)
	}
	assert.Equal(t, machine.EMFILE, err)
	assert.Equal(t, (1024-3)/2, pipes-1)
}

func TestOutput(t *testing.T) {
	var out, errs bytes.Buffer
	c := newComputer(t, machine.Options{Stdout: &out, Stderr: &errs})
	c.write(c.boot, 1, "to ")
	c.write(c.boot, 2, "errors")
	n, err := c.write(c.boot, 1, "output")
	assert.Equal(t, 6, n)
	assert.Zero(t, err)
	assert.Equal(t, "to output", out.String())
	assert.Equal(t, "errors", errs.String())

	at := c.memory(c.boot, "text", 0)
	said := ""
	call := machine.Syscall{Num: machine.SysWrite, Args: [3]uint64{2, uint64(at), 4},
		Output: func(fd int, addr machine.Addr, n int64) { said = fmt.Sprint(fd, c.m.String(addr, n)) }}
	assert.False(t, c.boot.Syscall(&call))
	assert.Equal(t, "2text", said)
	assert.Equal(t, "errors", errs.String())

	c.close(c.boot, 1)
	_, err = c.write(c.boot, 1, "x")
	assert.Equal(t, machine.EBADF, err)
}

func TestRegularFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(name, []byte("content"), 0o600))
	c := newComputer(t, machine.Options{})
	open := func(name string) (int, machine.Errno) {
		return c.call(c.boot, machine.SysOpen, uint64(c.memory(c.boot, name, 0)), uint64(len(name)), 0x80000)
	}
	fd, err := open(name)
	require.Zero(t, err)
	for _, want := range []string{"cont", "ent", "", ""} {
		got, err := c.read(c.boot, uint64(fd), 4)
		assert.Zero(t, err)
		assert.Equal(t, want, got)
	}
	_, err = c.write(c.boot, uint64(fd), "x")
	assert.Equal(t, machine.EBADF, err)

	fd, err = open(dir)
	assert.Zero(t, err)
	_, err = c.read(c.boot, uint64(fd), 4)
	assert.Equal(t, machine.EISDIR, err)
	if runtime.GOOS != "windows" {
		_, err = open("/dev/null")
		assert.Equal(t, machine.EOPNOTSUPP, err, "neither a file nor a directory")
		if os.Getuid() != 0 {
			require.NoError(t, os.Chmod(name, 0))
			_, err = open(name)
			assert.Equal(t, machine.EACCES, err)
		}
	}
}

func TestStdin(t *testing.T) {
	c := newComputer(t, machine.Options{})
	got, err := c.read(c.boot, 0, 4)
	assert.Empty(t, got, "none is empty")
	assert.Zero(t, err)

	c = newComputer(t, machine.Options{Stdin: io.MultiReader(strings.NewReader("ab"), strings.NewReader("cd"))})
	text := ""
	for {
		got, err := c.read(c.boot, 0, 1)
		assert.Zero(t, err)
		if text += got; got == "" {
			break
		}
	}
	assert.Equal(t, "abcd", text)
}

// halted calls fn on a thread of its own and reports whether Halted ended it.
func halted(fn func()) (ended chan bool) {
	ended = make(chan bool)
	machine.Newosproc("", func() {
		defer func() {
			_, ok := recover().(machine.Halted)
			ended <- ok
		}()
		fn()
	})
	return ended
}

// Halt ends those who sleep in the kernel, also if they wait for the host.
func TestHaltEndsSystemCalls(t *testing.T) {
	in, typed := io.Pipe() // like a terminal: nothing comes
	defer typed.Close()
	c := newComputer(t, machine.Options{Stdin: in})
	r, _ := c.pipe()
	var all []chan bool
	for _, call := range []func(th *machine.Thread){
		func(th *machine.Thread) { c.read(th, r, 1) },
		func(th *machine.Thread) { c.read(th, 0, 1) },
		func(th *machine.Thread) { c.nanosleep(th, math.MaxInt64) },
	} {
		th := c.m.NewThread()
		all = append(all, halted(func() { call(th) }))
	}
	c.m.Halt()
	for _, ended := range all {
		assert.True(t, <-ended)
	}
}

// interrupt sends signals to threads until stop is called: a single one could come
// before the call begins.
func interrupt(threads ...*machine.Thread) (stop func()) {
	over := make(chan struct{})
	var wg sync.WaitGroup
	for _, th := range threads {
		wg.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					th.Signal.Send()
					time.Sleep(50 * time.Microsecond)
				}
			}
		})
	}
	return func() {
		close(over)
		wg.Wait()
	}
}

// On threads a signal ends a sleep, with the rest, and restarts a read.
func TestSignalInterruptsOnThreads(t *testing.T) {
	c := newComputer(t, machine.Options{})
	r, w := c.pipe()
	th := c.m.NewThread()
	defer interrupt(th)()
	rest, err := c.nanosleep(th, 3600*1e9)
	assert.Equal(t, machine.EINTR, err)
	assert.Greater(t, rest, int64(0))
	assert.Less(t, rest, int64(3600*1e9))

	again := 0
	at := c.memory(th, "", 1)
	call := machine.Syscall{Num: machine.SysRead, Args: [3]uint64{r, uint64(at), 1}}
	for th.Syscall(&call) {
		assert.True(t, th.Signal.Clear())
		if again++; again == 20 {
			c.write(c.boot, w, "x")
		}
	}
	assert.GreaterOrEqual(t, again, 20)
	assert.Equal(t, "x", c.m.String(at, 1))
}

// A call that has moved something when the signal comes returns that.
func TestSignalEndsAHalfWrite(t *testing.T) {
	const all = 100_000
	c := newComputer(t, machine.Options{MemBytes: 1 << 20})
	r, w := c.pipe()
	th := c.m.NewThread()
	defer interrupt(th)()
	at := c.memory(th, strings.Repeat("x", all), 0)
	call := machine.Syscall{Num: machine.SysWrite, Args: [3]uint64{w, uint64(at), all}}
	assert.False(t, th.Syscall(&call))
	assert.Equal(t, uint64(64<<10), call.Result)
	assert.Zero(t, call.Err)
	got, _ := c.read(c.boot, r, all)
	assert.Len(t, got, 64<<10)
}

// So does one whose reader goes away; the next one is told.
func TestReaderLeavesAHalfWrite(t *testing.T) {
	const all = 100_000
	c := newComputer(t, machine.Options{MemBytes: 1 << 20})
	r, w := c.pipe()
	th := c.m.NewThread()
	written := make(chan int)
	machine.Newosproc("", func() {
		n, err := c.write(th, w, strings.Repeat("x", all))
		assert.Zero(t, err)
		written <- n
	})
	got, _ := c.read(c.boot, r, 1)
	assert.Equal(t, "x", got)
	c.close(c.boot, r)
	assert.InDelta(t, 64<<10, <-written, 1)
	_, err := c.write(c.boot, w, "x")
	assert.Equal(t, machine.EPIPE, err)
}

// A sleep with nobody to end it takes its time, and leaves the rest alone.
func TestNanosleepOnThreads(t *testing.T) {
	c := newComputer(t, machine.Options{})
	began := machine.Nanotime()
	rest, err := c.nanosleep(c.boot, 2e6)
	assert.Zero(t, err)
	assert.Equal(t, int64(-1), rest)
	assert.GreaterOrEqual(t, machine.Nanotime()-began, int64(2e6))
}

// Alone tells what a call would wait for, instead of waiting.
func TestAlone(t *testing.T) {
	c := newComputer(t, machine.Options{MemBytes: 1 << 20, Stdin: strings.NewReader("typed")})
	r, w := c.pipe()
	at := uint64(c.memory(c.boot, "", 80_000))
	try := func(num, a, b, n uint64) machine.Syscall {
		call := machine.Syscall{Num: num, Args: [3]uint64{a, b, n}, Alone: true}
		assert.False(t, c.boot.Syscall(&call))
		return call
	}
	assert.Equal(t, "data in an empty pipe", try(machine.SysRead, r, at, 1).Stuck)
	assert.Equal(t, "room in a full pipe", try(machine.SysWrite, w, at, 80_000).Stuck)
	assert.Equal(t, uint64(64<<10), try(machine.SysRead, r, at, 80_000).Result)
	assert.Equal(t, uint64(5), try(machine.SysRead, 0, at, 80_000).Result, "what comes from outside is waited for")

	spec := c.memory(c.boot, "", 16)
	c.m.SetWord(spec, 3600)
	c.m.SetWord(spec+8, 1)
	call := try(machine.SysNanosleep, uint64(spec), 0, 0)
	assert.Equal(t, int64(3600e9+1), call.Slept)
	assert.Zero(t, call.Err)
	c.m.SetWord(spec, math.MaxInt64)
	assert.Equal(t, int64(math.MaxInt64), try(machine.SysNanosleep, uint64(spec), 0, 0).Slept)
}

// Many threads write to pipes, read from them and sleep, while others signal all of
// them. Each byte arrives, no wake-up is lost (the test would not end) and none comes
// twice (that is a Fatal).
func TestKernelUnderStress(t *testing.T) {
	const pipes, each = 3, 400
	c := newComputer(t, machine.Options{MemBytes: 32 << 20})
	var threads []*machine.Thread
	var wg sync.WaitGroup
	start := func(fn func(th *machine.Thread)) {
		th := c.m.NewThread()
		threads = append(threads, th)
		wg.Add(1)
		machine.Newosproc("", func() {
			defer wg.Done()
			fn(th)
		})
	}
	sums := make([]int, pipes)
	var mu sync.Mutex
	for p := range pipes {
		r, w := c.pipe()
		var writers sync.WaitGroup
		for range 2 {
			writers.Add(1)
			start(func(th *machine.Thread) {
				defer writers.Done()
				at := uint64(c.memory(th, strings.Repeat("\x01", 3000), 0))
				for i := range each {
					n, err := c.call(th, machine.SysWrite, w, at, 3000)
					if n != 3000 || err != 0 {
						t.Errorf("wrote %d, %d", n, err)
					}
					if i%32 == 0 {
						c.nanosleep(th, 1000*int64(i))
					}
				}
			})
			start(func(th *machine.Thread) {
				at := c.memory(th, "", 5000)
				for {
					n, err := c.call(th, machine.SysRead, r, uint64(at), 5000)
					if err != 0 {
						t.Errorf("read: %d", err)
					}
					if n == 0 {
						return
					}
					sum := 0
					for _, b := range c.m.Bytes(at, int64(n)) {
						sum += int(b)
					}
					mu.Lock()
					sums[p] += sum
					mu.Unlock()
				}
			})
		}
		wg.Go(func() {
			writers.Wait()
			c.close(c.m.NewThread(), w)
		})
	}
	stop := interrupt(threads...)
	wg.Wait()
	stop()
	for _, sum := range sums {
		assert.Equal(t, 2*each*3000, sum)
	}
}

// The lowest descriptor that is free is given out, and no more than there are.
func TestDescriptors(t *testing.T) {
	c := newComputer(t, machine.Options{Files: 9})
	at := c.memory(c.boot, "01234567", 0)
	pipe := func() (r, w uint32, err machine.Errno) {
		_, err = c.call(c.boot, machine.SysPipe, uint64(at))
		b := c.m.Bytes(at, 8)
		return binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint32(b[4:]), err
	}
	for first := uint32(3); first < 9; first += 2 {
		r, w, err := pipe()
		assert.Equal(t, []any{first, first + 1, machine.Errno(0)}, []any{r, w, err})
	}
	c.call(c.boot, machine.SysClose, 6)
	_, _, err := pipe()
	assert.Equal(t, machine.EMFILE, err)
	c.call(c.boot, machine.SysClose, 4)
	r, w, err := pipe()
	assert.Equal(t, []any{uint32(4), uint32(6), machine.Errno(0)}, []any{r, w, err})
	_, _, err = pipe()
	assert.Equal(t, machine.EMFILE, err)
}
