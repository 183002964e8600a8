package machine_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

// eachNetwork runs a test on the machine's own network and on that of the host.
func eachNetwork(t *testing.T, test func(t *testing.T, c *computer)) {
	for name, network := range map[string]machine.Network{"own": machine.OwnNetwork, "host": machine.HostNetwork} {
		t.Run(name, func(t *testing.T) {
			m, err := machine.New(&machine.Program{}, machine.Options{MemBytes: 1 << 20, Network: network})
			if network == machine.HostNetwork && err != nil {
				t.Skip(err)
			}
			require.NoError(t, err)
			t.Cleanup(m.Halt)
			test(t, &computer{t: t, m: m, boot: m.NewThread()})
		})
	}
}

// must makes a call that must succeed.
func (c *computer) must(th *machine.Thread, num uint64, args ...uint64) uint64 {
	n, err := c.call(th, num, args...)
	if err != 0 {
		panic(fmt.Sprintf("system call %d failed: %d", num, err))
	}
	return uint64(n)
}

// listener returns a socket that listens on the loopback, and its address.
func (c *computer) listener(backlog uint64) (fd, addr uint64) {
	fd = c.must(c.boot, machine.SysSocket)
	c.must(c.boot, machine.SysBind, fd, uint64(machine.Addr4(127, 0, 0, 1, 0)))
	c.must(c.boot, machine.SysListen, fd, backlog)
	return fd, c.must(c.boot, machine.SysGetsockname, fd)
}

// A desk is a thread with a poller.
type desk struct {
	*computer
	th *machine.Thread
	ep *machine.Epoll
}

func newDesk(c *computer) *desk {
	ep, err := c.m.NewEpoll()
	if err != 0 {
		panic(fmt.Sprint("no epoll: ", err))
	}
	return &desk{c, c.m.NewThread(), ep}
}

// await waits until one of the events comes for data, and drops others.
func (d *desk) await(data uint64, events uint32) {
	var room [8]machine.PollEvent
	for {
		for _, e := range room[:d.ep.Wait(d.th, room[:], -1)] {
			if e.Data == data && e.Events&events != 0 {
				return
			}
		}
	}
}

// dial connects, and returns both ends.
func (d *desk) dial(l, addr uint64) (client, server uint64) {
	client = d.must(d.th, machine.SysSocket)
	_, err := d.call(d.th, machine.SysConnect, client, addr)
	assert.Contains(d.t, []machine.Errno{0, machine.EINPROGRESS}, err)
	assert.Zero(d.t, d.ep.Add(int(client), client))
	d.await(client, machine.PollOut)
	assert.Zero(d.t, d.must(d.th, machine.SysSockError, client))
	return client, d.must(d.th, machine.SysAccept, l)
}

func TestSocketsTalk(t *testing.T) {
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		l, addr := c.listener(8)
		_, err := c.call(c.boot, machine.SysAccept, l)
		assert.Equal(t, machine.EAGAIN, err)
		client, server := d.dial(l, addr)
		assert.Equal(t, addr, c.must(c.boot, machine.SysGetpeername, client))
		assert.Equal(t, c.must(c.boot, machine.SysGetsockname, client), c.must(c.boot, machine.SysGetpeername, server))

		_, err = c.read(c.boot, client, 4)
		assert.Equal(t, machine.EAGAIN, err)
		n, err := c.write(c.boot, server, "hello")
		assert.Equal(t, 5, n)
		assert.Zero(t, err)
		d.await(client, machine.PollIn)
		got, err := c.read(c.boot, client, 100)
		assert.Equal(t, "hello", got)
		assert.Zero(t, err)

		// Half of it ends; the other half still works.
		c.must(c.boot, machine.SysShutdown, server, machine.ShutWrite)
		d.await(client, machine.PollIn)
		got, err = c.read(c.boot, client, 100)
		assert.Equal(t, "", got)
		assert.Zero(t, err)
		_, err = c.write(c.boot, server, "more")
		assert.Equal(t, machine.EPIPE, err)
		d.ep.Add(int(server), server)
		c.write(c.boot, client, "bye")
		d.await(server, machine.PollIn)
		got, _ = c.read(c.boot, server, 100)
		assert.Equal(t, "bye", got)
		assert.Zero(t, c.close(c.boot, client))
		assert.Equal(t, machine.EBADF, c.close(c.boot, client))
	})
}

// A full connection takes no more, says so once it does again, and loses nothing.
func TestSocketFull(t *testing.T) {
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		l, addr := c.listener(1)
		client, server := d.dial(l, addr)
		chunk := strings.Repeat("x", 20_000)
		sent, took := 0, 0
		at := uint64(c.memory(c.boot, chunk, 0))
		for {
			n, err := c.call(c.boot, machine.SysWrite, client, at, uint64(len(chunk)))
			if err != 0 {
				assert.Equal(t, machine.EAGAIN, err)
				break
			}
			sent += n
		}
		assert.Greater(t, sent, 0)
		d.ep.Add(int(server), server)
		for took < sent {
			n, err := c.call(c.boot, machine.SysRead, server, at, uint64(len(chunk)))
			if err == machine.EAGAIN {
				d.await(server, machine.PollIn)
				continue
			}
			assert.Zero(t, err)
			took += n
		}
		d.await(client, machine.PollOut)
		n, err := c.write(c.boot, client, "again")
		assert.Equal(t, 5, n)
		assert.Zero(t, err)
	})
}

func TestSocketRefused(t *testing.T) {
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		l, addr := c.listener(1)
		c.close(c.boot, l)
		s := c.must(c.boot, machine.SysSocket)
		_, err := c.call(c.boot, machine.SysConnect, s, addr)
		if err != machine.ECONNREFUSED { // the host may know at once
			assert.Equal(t, machine.EINPROGRESS, err)
			assert.Zero(t, d.ep.Add(int(s), s))
			d.await(s, machine.PollErr)
			assert.EqualValues(t, machine.ECONNREFUSED, c.must(c.boot, machine.SysSockError, s))
		}
		a, aAddr := c.listener(1)
		b := c.must(c.boot, machine.SysSocket)
		_, err = c.call(c.boot, machine.SysBind, b, aAddr)
		if err == 0 { // Linux says so when it is to listen
			_, err = c.call(c.boot, machine.SysListen, b, 1)
		}
		assert.Equal(t, machine.EADDRINUSE, err)
		c.close(c.boot, a)
	})
}

// Who goes away without having read what has come resets the connection; who writes to one
// that has gone learns of it at the next call.
func TestSocketReset(t *testing.T) {
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		l, addr := c.listener(2)
		client, server := d.dial(l, addr)
		d.ep.Add(int(server), server)
		c.write(c.boot, server, "unread")
		d.await(client, machine.PollIn)
		c.close(c.boot, client)
		d.await(server, machine.PollErr|machine.PollHup)
		_, err := c.read(c.boot, server, 10)
		assert.Equal(t, machine.ECONNRESET, err)
		got, err := c.read(c.boot, server, 10)
		assert.Equal(t, "", got)
		assert.Zero(t, err)
		_, err = c.write(c.boot, server, "x")
		assert.Equal(t, machine.EPIPE, err)

		client, server = d.dial(l, addr)
		d.ep.Add(int(server), server)
		c.close(c.boot, client)
		d.await(server, machine.PollIn)
		c.write(c.boot, server, "x")
		d.await(server, machine.PollErr|machine.PollHup)
		_, err = c.write(c.boot, server, "x")
		assert.Equal(t, machine.EPIPE, err)
	})
}

func TestSocketMistakes(t *testing.T) {
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		r, _ := c.pipe()
		_, err := c.call(c.boot, machine.SysListen, r, 1)
		assert.Equal(t, machine.ENOTSOCK, err)
		_, err = c.call(c.boot, machine.SysListen, 77, 1)
		assert.Equal(t, machine.EBADF, err)
		assert.Equal(t, machine.EPERM, d.ep.Add(int(r), 1))
		assert.Equal(t, machine.EBADF, d.ep.Add(77, 1))
		s := c.must(c.boot, machine.SysSocket)
		_, err = c.call(c.boot, machine.SysRead, s, 1<<40, 1)
		assert.Equal(t, machine.EFAULT, err)
		_, err = c.call(c.boot, machine.SysGetpeername, s)
		assert.Equal(t, machine.ENOTCONN, err)
		assert.Zero(t, d.ep.Add(int(s), 1))
		assert.Zero(t, d.ep.Del(int(s)))
		assert.NotZero(t, d.ep.Del(int(s)))
		for {
			if _, err = c.call(c.boot, machine.SysSocket); err != 0 {
				break
			}
		}
		assert.Equal(t, machine.EMFILE, err)
		_, err = c.call(c.boot, machine.SysSocketpair, uint64(c.memory(c.boot, "", 8)))
		assert.Equal(t, machine.EMFILE, err)
		c.close(c.boot, s)
		c.must(c.boot, machine.SysSocket)
	})
}

// Break ends a Wait, one under way or the next, until ClearBreak.
func TestEpollBreak(t *testing.T) {
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		for range 100 {
			go d.ep.Break()
			d.await(machine.BreakData, machine.PollIn)
			d.await(machine.BreakData, machine.PollIn)
			d.ep.ClearBreak()
		}
		var room [1]machine.PollEvent
		assert.Zero(t, d.ep.Wait(d.th, room[:], 0))
		began := time.Now()
		assert.Zero(t, d.ep.Wait(d.th, room[:], int64(3*time.Millisecond)))
		assert.GreaterOrEqual(t, time.Since(began), 3*time.Millisecond)
	})
}

// Halt ends those who wait, and gives all descriptors back to the host.
func TestHaltEndsTheNetwork(t *testing.T) {
	before := hostFiles(t)
	eachNetwork(t, func(t *testing.T, c *computer) {
		d := newDesk(c)
		l, addr := c.listener(2)
		client, _ := d.dial(l, addr)
		ended := make(chan any)
		for range 2 {
			th := c.m.NewThread()
			go func() {
				defer func() { ended <- recover() }()
				for {
					d.ep.Wait(th, make([]machine.PollEvent, 1), -1)
				}
			}()
		}
		runtime.Gosched()
		c.m.Halt()
		for range 2 {
			assert.Equal(t, machine.Halted{}, <-ended)
		}
		if before >= 0 {
			c.write(c.boot, client, "x") // no other file is meant by the old number
			_, err := c.call(c.boot, machine.SysSocket)
			_ = err
		}
	})
	if before >= 0 {
		assert.Equal(t, before, hostFiles(t), "open files of this process")
	}
}

// hostFiles is how many files this process has open, -1 if nobody says.
func hostFiles(t *testing.T) int {
	t.Helper()
	dir, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(dir)
}
