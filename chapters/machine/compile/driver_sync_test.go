package compile_test

import (
	"slices"

	"gosched/chapters/machine"
)

// Semaphores, lists of a sync.Cond and the clock of the driver. Time passes only
// when nobody can run.

// syncOp handles the traps of package sync and time.Sleep. It reports whether gp
// goes on at once.
func (d *driver) syncOp(gp *goroutine, trap machine.Trap) (resume bool) {
	gp.op = trap
	arg := func(i int) uint64 { return d.m.Word(gp.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { d.m.SetWord(gp.Args+machine.Addr(8*i), v) }
	switch trap {
	case machine.TrapSemacquire:
		count := d.m.Bytes(machine.Addr(arg(0)), 4)
		if count[0] > 0 {
			count[0]--
			return true
		}
		if arg(1) != 0 {
			d.blocked = slices.Insert(d.blocked, 0, gp)
			return false
		}
	case machine.TrapSemrelease:
		if d.wake(machine.TrapSemacquire, arg(0)) == 0 {
			d.m.Bytes(machine.Addr(arg(0)), 4)[0]++
		}
		return true
	case machine.TrapNotifyAdd:
		result(1, 0)
		return true
	case machine.TrapNotifyOne:
		d.wake(machine.TrapNotifyWait, arg(0))
		return true
	case machine.TrapNotifyAll:
		for d.wake(machine.TrapNotifyWait, arg(0)) > 0 {
		}
		return true
	case machine.TrapSleep:
		gp.until = d.now + max(int64(arg(0)), 0)
	}
	d.blocked = append(d.blocked, gp)
	return false
}

// wake lets the first goroutine go on that waits with the given trap at addr. It
// returns how many that were, 0 or 1.
func (d *driver) wake(trap machine.Trap, addr uint64) int {
	i := slices.IndexFunc(d.blocked, func(gp *goroutine) bool {
		return gp.op == trap && d.m.Word(gp.Args) == addr
	})
	if i < 0 {
		return 0
	}
	d.queue = append(d.queue, d.blocked[i])
	d.blocked = slices.Delete(d.blocked, i, i+1)
	return 1
}

// pass lets time pass until a goroutine has slept enough. It reports false if
// nobody sleeps.
func (d *driver) pass() bool {
	first := -1
	for i, gp := range d.blocked {
		if gp.op == machine.TrapSleep && (first < 0 || gp.until < d.blocked[first].until) {
			first = i
		}
	}
	if first < 0 {
		return false
	}
	d.now = max(d.now, d.blocked[first].until)
	d.queue = append(d.queue, d.blocked[first])
	d.blocked = slices.Delete(d.blocked, first, first+1)
	return true
}
