package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/machine"
)

// echo lets n messages go to another thread and back, and returns when main had each one.
func echo(t *testing.T, k kernel, n int) (times []int64) {
	main, other := k.m.NewThread(), k.m.NewThread()
	at := k.words(main, 0)
	k.call(main, machine.SysSocketpair, uint64(at))
	a, b := k.m.Word(at)&0xffff, k.m.Word(at)>>32
	turn := func(th *machine.Thread, ep *machine.Epoll, fd uint64) {
		word := uint64(k.words(th, 0))
		for {
			_, err := k.call(th, machine.SysRead, fd, word, 8)
			if err == 0 {
				break
			}
			assert.Equal(t, machine.EAGAIN, err)
			ep.Wait(th, make([]machine.PollEvent, 4), -1)
		}
		times = append(times, machine.Nanotime())
	}
	open := func(fd uint64) *machine.Epoll {
		ep, _ := k.m.NewEpoll()
		assert.Zero(t, ep.Add(int(fd), 1))
		return ep
	}
	machine.Newosproc("other", func() {
		ep := open(b)
		for range n {
			turn(other, ep, b)
			k.call(other, machine.SysWrite, b, uint64(k.words(other, 1)), 8)
		}
	})
	ep := open(a)
	for range n {
		k.call(main, machine.SysWrite, a, uint64(k.words(main, 1)), 8)
		turn(main, ep, a)
	}
	return times
}

// Each way takes Network and the time that a thread takes to wake; nobody is busy
// meanwhile, and nobody is woken before.
func TestNetworkTakesTime(t *testing.T) {
	c := BareMetal()
	c.Network = 300 * Microsecond
	const rounds = 10
	var times []int64
	r := simulate(t, Options{CPUs: 2, Costs: c}, func(s *simulation) {
		times = echo(t, newKernel(t, machine.Options{}), rounds)
	})
	for i := 1; i < len(times); i++ {
		hop := float64(times[i] - times[i-1])
		assert.InDelta(t, float64(300_000+5_000), hop, 5_000, "hop %d", i)
	}
	assert.Less(t, int64(r.CPUs[0].Busy+r.CPUs[1].Busy), int64(rounds*2*10_000))
}

// The same seed gives the same run.
func TestNetworkKeepsToTheSeed(t *testing.T) {
	play := func(seed uint64) Report {
		return simulate(t, Options{CPUs: 2, Seed: seed}, func(s *simulation) {
			echo(t, newKernel(t, machine.Options{}), 20)
		})
	}
	assert.Equal(t, play(1), play(1))
	assert.NotEqual(t, play(1).Digest, play(2).Digest)
}

// As long as something is on its way, the threads that wait for it are in no deadlock; then
// they are.
func TestNetworkDeadlock(t *testing.T) {
	_, err := Run(Options{CPUs: 1}, func() {
		k := newKernel(t, machine.Options{})
		echo(t, k, 1)
		ep, _ := k.m.NewEpoll()
		ep.Wait(k.m.NewThread(), make([]machine.PollEvent, 1), -1)
	})
	var deadlock *Deadlock
	assert.ErrorAs(t, err, &deadlock)
}
