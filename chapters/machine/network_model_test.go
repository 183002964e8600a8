package machine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// sockets returns two that are connected, in a machine with its own network.
func (c *computer) sockets() (a, b uint64) {
	at := c.memory(c.boot, "", 8)
	c.must(c.boot, machine.SysSocketpair, uint64(at))
	p := c.m.Bytes(at, 8)
	return uint64(p[0]), uint64(p[4])
}

// No wake-up is lost: a thread that reads until there is nothing more and then waits for
// its poller gets everything that is written, and the end.
func TestModelEpollLosesNothing(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		d := newDesk(c)
		a, b := c.sockets()
		writer := c.m.NewThread()
		got := ""
		m.Thread("reader", func() {
			assert.Zero(m, d.ep.Add(int(a), 7))
			for {
				s, err := c.read(d.th, a, 4)
				switch {
				case err == machine.EAGAIN:
					d.await(7, machine.PollIn)
				case s == "":
					assert.Zero(m, err)
					return
				}
				got += s
			}
		})
		m.Thread("writer", func() {
			c.write(writer, b, "ab")
			c.write(writer, b, "c")
			c.must(writer, machine.SysShutdown, b, machine.ShutWrite)
		})
		m.Check(func() { assert.Equal(m, "abc", got) })
	})
}

// A Break is never lost either, and it is not taken for a socket: whether it comes before,
// while or after the thread waits, or together with data.
func TestModelEpollBreak(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		d := newDesk(c)
		a, b := c.sockets()
		d.ep.Add(int(a), 7)
		other := c.m.NewThread()
		m.Thread("poller", func() {
			broken, data := false, false
			for !broken || !data {
				var room [4]machine.PollEvent
				for _, e := range room[:d.ep.Wait(d.th, room[:], -1)] {
					switch e.Data {
					case machine.BreakData:
						broken = true
						d.ep.ClearBreak()
					case 7:
						data = data || e.Events&machine.PollIn != 0
					}
				}
			}
		})
		m.Thread("writer", func() { c.write(other, b, "x") })
		m.Thread("breaker", func() { d.ep.Break() })
	})
}

// Of two that wait each event goes to one; the one that closes a socket takes it from the
// poller, and no event of it is left that would come later with an old number.
func TestModelEpollWithTwoWaiters(t *testing.T) {
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		d := newDesk(c)
		a, b := c.sockets()
		d.ep.Add(int(a), 7)
		d.ep.Wait(d.th, make([]machine.PollEvent, 1), 0) // it can be written to
		writer := c.m.NewThread()
		events := 0
		for range 2 {
			th := c.m.NewThread()
			m.Thread("poller", func() {
				var room [1]machine.PollEvent
				if d.ep.Wait(th, room[:], -1) == 1 && room[0].Data == 7 {
					events++
					d.ep.Break() // for the other one
				}
			})
		}
		m.Thread("writer", func() { c.write(writer, b, "x") })
		m.Check(func() { assert.Equal(m, 1, events) })
	})
}

// A Wait that ends because of its time, or is disturbed by a signal, loses no event.
func TestModelEpollTimeMeetsData(t *testing.T) {
	ends := map[bool]bool{}
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		d := newDesk(c)
		a, b := c.sockets()
		d.ep.Add(int(a), 7)
		d.ep.Wait(d.th, make([]machine.PollEvent, 1), 0)
		writer := c.m.NewThread()
		m.Thread("poller", func() {
			var room [1]machine.PollEvent
			n := d.ep.Wait(d.th, room[:], 1000)
			ends[n > 0] = true
			if n == 0 {
				d.await(7, machine.PollIn)
			}
		})
		m.Thread("writer", func() { c.write(writer, b, "x") })
		m.Thread("sender", d.th.Signal.Send)
	})
	assert.True(t, ends[true])
	assert.True(t, ends[false])
}

// A connect meets the end of the listener: it succeeds and is then reset, or is refused,
// and the client always learns of it.
func TestModelConnectMeetsClose(t *testing.T) {
	outcomes := map[machine.Errno]bool{}
	explored(t, func(m *explore.Model) {
		c := newComputer(m, machine.Options{})
		d := newDesk(c)
		l, addr := c.listener(1)
		closer := c.m.NewThread()
		m.Thread("client", func() {
			s := c.must(d.th, machine.SysSocket)
			_, err := c.call(d.th, machine.SysConnect, s, addr)
			assert.Equal(m, machine.EINPROGRESS, err)
			d.ep.Add(int(s), 3)
			d.await(3, machine.PollOut)
			err = machine.Errno(c.must(d.th, machine.SysSockError, s))
			if err == 0 {
				for {
					if _, err = c.read(d.th, s, 1); err != machine.EAGAIN {
						break
					}
					d.await(3, machine.PollIn)
				}
			}
			outcomes[err] = true
		})
		m.Thread("closer", func() { c.close(closer, l) })
	})
	assert.True(t, outcomes[machine.ECONNREFUSED])
	assert.True(t, outcomes[machine.ECONNRESET])
}
