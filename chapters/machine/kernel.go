package machine

import (
	"math"
	"sync"
	"sync/atomic"
)

// This file is what a program finds in the kernel of the machine: its system
// calls. The files that they work on are in files.go, and how a thread sleeps in
// one and is woken is in sleep.go.

// The numbers of the system calls are those of Linux on amd64, as are their
// results. A call that fails has the result -1 and an Errno. An address is one of
// the program's memory.
const (
	SysRead      = 0  // descriptor, address, n → bytes read, 0 at the end
	SysWrite     = 1  // descriptor, address, n → bytes written
	SysOpen      = 2  // address, length of the name, flags → descriptor; only for reading
	SysClose     = 3  // descriptor
	SysPipe      = 22 // address of two int32: the descriptors to read from and to write to
	SysNanosleep = 35 // address of a Timespec, address of one for the rest or 0
	SysGetpid    = 39 // → number of the process

	// Sockets; see network.go. They never wait: the result is EAGAIN or EINPROGRESS.
	SysSocket      = 41 // → descriptor of a stream socket
	SysConnect     = 42 // descriptor, SockAddr
	SysAccept      = 43 // descriptor → descriptor of the connection
	SysShutdown    = 48 // descriptor, ShutRead, ShutWrite or ShutBoth
	SysBind        = 49 // descriptor, SockAddr
	SysListen      = 50 // descriptor, most connections that may wait to be accepted
	SysGetsockname = 51 // descriptor → SockAddr
	SysGetpeername = 52 // descriptor → SockAddr
	SysSocketpair  = 53 // address of two int32: the descriptors of two connected sockets
	SysSockError   = 55 // descriptor → the Errno of what went wrong since, 0 for nothing: getsockopt with SO_ERROR
)

// An Errno is why a system call failed, 0 if it did not: Linux's errno.
type Errno uint64

const (
	ENOENT     Errno = 2
	EINTR      Errno = 4
	EBADF      Errno = 9
	EAGAIN     Errno = 11
	EACCES     Errno = 13
	EFAULT     Errno = 14
	EISDIR     Errno = 21
	EINVAL     Errno = 22
	EMFILE     Errno = 24
	EROFS      Errno = 30
	EPIPE      Errno = 32
	ENOSYS     Errno = 38
	EOPNOTSUPP Errno = 95
	EIO        Errno = 5

	EPERM         Errno = 1
	EEXIST        Errno = 17
	ENOTSOCK      Errno = 88
	EADDRINUSE    Errno = 98
	EADDRNOTAVAIL Errno = 99
	ENETUNREACH   Errno = 101
	ECONNABORTED  Errno = 103
	ECONNRESET    Errno = 104
	EISCONN       Errno = 106
	ENOTCONN      Errno = 107
	ETIMEDOUT     Errno = 110
	ECONNREFUSED  Errno = 111
	EALREADY      Errno = 114
	EINPROGRESS   Errno = 115
)

// A Syscall is one system call of a program.
type Syscall struct {
	Num  uint64
	Args [3]uint64

	// Output takes the n bytes at addr that the program writes to its standard
	// output, 1, or its standard error, 2. If it is nil they go to
	// Options.Stdout and Stderr.
	Output func(fd int, addr Addr, n int64)
	// Alone says that no other thread executes the program's instructions while
	// this one sleeps, so that nothing in the program would wake it.
	Alone bool

	Result uint64
	Err    Errno
	// With Alone, Slept is for how many nanoseconds SysNanosleep was to sleep; it
	// has not. Stuck says what the call waits for, "data in an empty pipe", if it
	// would never end; then it has no result.
	Slept int64
	Stuck string
}

// fail makes err the result.
func (c *Syscall) fail(err Errno) { c.Result, c.Err = math.MaxUint64, err }

// done makes n the result if err is 0.
func (c *Syscall) done(n uint64, err Errno) {
	if c.Result, c.Err = n, err; err != 0 {
		c.fail(err)
	}
}

// Syscall makes the call c on t, the thread of the caller, which holds no lock. It
// returns when the call is complete: the thread may sleep until then. A thread that
// sleeps when its machine halts panics with Halted.
//
// If t.Signal ends the sleep, SysNanosleep fails with EINTR. Reads and writes that
// have moved something return what they have; those that have not report again: the
// caller clears the signal, does what it asks for, and makes the same call once
// more. Linux does so for handlers installed with SA_RESTART, as Go's are.
func (t *Thread) Syscall(c *Syscall) (again bool) {
	if watched && costs != nil {
		costs.Syscall()
	}
	if t.socketCall(c) {
		return false
	}
	switch c.Num {
	case SysRead, SysWrite:
		return t.transfer(c)
	case SysOpen:
		t.open(c)
	case SysClose:
		t.close(c)
	case SysPipe:
		t.pipe(c)
	case SysNanosleep:
		t.nanosleep(c)
	case SysGetpid:
		c.done(pid, 0)
	default:
		c.fail(ENOSYS)
	}
	return false
}

// pid is the number of every program's process: it runs again the same.
const pid = 1

// A kernel is what the threads of a machine share in system calls.
type kernel struct {
	tag
	// mu keeps the threads of the host apart. It is never held across a call of
	// a Hook, which may go on with another thread on the same one of the host.
	mu sync.Mutex
	descriptors

	roused  []*Thread // whom unlock is to wake besides; under mu
	own     ownNetwork
	host    hostNetwork
	network Network // constant
	breaks  atomic.Int64
}

// boot opens the three files that every program begins with.
func (k *kernel) boot(opt Options) {
	k.network, k.most = opt.Network, opt.Files
	if k.most == 0 {
		k.most = maxFiles
	}
	k.add(&input{from: opt.Stdin})
	k.add(output{})
	k.add(output{})
}

// lock begins a step: what it does up to unlock happens at once.
func (k *kernel) lock() {
	if watched && hook != nil {
		hook.Kernel(k.touch())
	}
	k.mu.Lock()
}

// unlock ends a step, and wakes those that it has roused.
func (k *kernel) unlock(roused []*Thread) {
	if len(k.roused) > 0 {
		roused, k.roused = append(roused, k.roused...), nil
	}
	k.mu.Unlock()
	for _, t := range roused {
		t.note.Wakeup()
	}
}

// transfer is SysRead and SysWrite. While it sleeps it has a reference to the file,
// which so stays open even if the program closes the descriptor.
func (t *Thread) transfer(c *Syscall) (again bool) {
	k, fd, addr, n := &t.m.kernel, c.Args[0], Addr(c.Args[1]), int64(c.Args[2])
	if n < 0 {
		c.fail(EINVAL)
		return false
	}
	if !t.m.Valid(addr, n) {
		c.fail(EFAULT)
		return false
	}
	work := t.m.Bytes(addr, n)
	moved := 0
	var f *file // from the first sleep on
	for {
		k.lock()
		slept := f != nil
		if !slept {
			if f = k.file(fd); f == nil {
				k.unlock(nil)
				c.fail(EBADF)
				return false
			}
		}
		var did int
		var err Errno
		if c.Num == SysRead {
			did, err = f.read(k, work)
		} else {
			did, err = f.write(work[moved:], len(work))
		}
		moved += did
		var roused []*Thread
		if did > 0 {
			roused = f.waiters().rouse(roused)
		}
		blocks := err == EAGAIN
		if blocks && c.Alone && !f.fed() {
			c.Stuck = f.lacks()
			k.unlock(roused)
			return false
		}
		if blocks {
			if !slept {
				f.refs++
			}
			t.fallAsleep(f.waiters())
		} else if slept {
			roused = k.release(f, roused)
		}
		k.unlock(roused)
		if !blocks {
			return t.transferred(c, f, moved, err)
		}
		if t.sleep(-1) == signalled {
			k.lock()
			k.unlock(k.release(f, nil))
			c.done(uint64(moved), 0)
			return moved == 0
		}
	}
}

// transferred gives c its result, after what is left to be done without the lock.
func (t *Thread) transferred(c *Syscall, f *file, moved int, err Errno) (again bool) {
	switch f.stream.(type) {
	case output:
		if moved > 0 {
			t.output(c, int64(moved))
		}
	case *disk:
		if watched && costs != nil && err == 0 {
			costs.Disk()
		}
	}
	if moved > 0 {
		err = 0 // it will come again
	}
	c.done(uint64(moved), err)
	return false
}

// output writes n bytes of the program to its standard output or error.
func (t *Thread) output(c *Syscall, n int64) {
	fd, addr := int(c.Args[0]), Addr(c.Args[1])
	switch {
	case c.Output != nil:
		c.Output(fd, addr, n)
	case fd == 1:
		t.m.Options.Stdout.Write(t.m.Bytes(addr, n))
	default:
		t.m.Options.Stderr.Write(t.m.Bytes(addr, n))
	}
}

// close is SysClose.
func (t *Thread) close(c *Syscall) {
	k, fd := &t.m.kernel, c.Args[0]
	k.lock()
	f := k.file(fd)
	if f == nil {
		k.unlock(nil)
		c.fail(EBADF)
		return
	}
	k.remove(int(fd))
	k.unlock(k.release(f, nil))
	c.done(0, 0)
}

// pipe is SysPipe.
func (t *Thread) pipe(c *Syscall) {
	k, to := &t.m.kernel, Addr(c.Args[0])
	if !t.m.Valid(to, 8) {
		c.fail(EFAULT)
		return
	}
	p := &pipe{readers: 1, writers: 1}
	k.lock()
	defer k.unlock(nil)
	if k.free() < 2 {
		c.fail(EMFILE)
		return
	}
	put32(t.m.Bytes(to, 8), uint32(k.add(readEnd{p})))
	put32(t.m.Bytes(to+4, 4), uint32(k.add(writeEnd{p})))
	c.done(0, 0)
}

// nanosleep is SysNanosleep.
func (t *Thread) nanosleep(c *Syscall) {
	from, rest := Addr(c.Args[0]), Addr(c.Args[1])
	if !t.m.Valid(from, 16) || rest != 0 && !t.m.Valid(rest, 16) {
		c.fail(EFAULT)
		return
	}
	spec := t.m.Bytes(from, 16)
	sec, nsec := int64(wordAt(spec)), int64(wordAt(spec[8:]))
	if sec < 0 || nsec < 0 || nsec >= 1e9 {
		c.fail(EINVAL)
		return
	}
	const most = math.MaxInt64 / int64(1e9)
	ns := int64(math.MaxInt64)
	if sec < most {
		ns = sec*1e9 + nsec
	}
	c.done(0, 0)
	if c.Alone {
		c.Slept = ns
		return
	}
	k := &t.m.kernel
	began := Nanotime()
	for left := ns; left > 0; left = ns - (Nanotime() - began) {
		k.lock()
		t.fallAsleep(nil)
		k.unlock(nil)
		switch t.sleep(left) {
		case timedOut:
			return
		case signalled:
			if left := max(ns-(Nanotime()-began), 0); rest != 0 {
				t.m.SetWord(rest, uint64(left/1e9))
				t.m.SetWord(rest+8, uint64(left%1e9))
			}
			c.fail(EINTR)
			return
		}
	}
}
