package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestReportString(t *testing.T) {
	r := Report{
		Elapsed: 2 * time.Millisecond,
		CPUs:    []CPU{{2 * time.Millisecond}, {time.Millisecond}},
		Locks:   []Lock{{"sched.lock", 400, 37, 1500 * time.Microsecond}, {"", 3, 1, 20}, {"hchan", 7, 0, 0}},
		Threads: 3, Instructions: 1_000_000, Accesses: 900, Misses: 1, Sleeps: 5, ContextSwitches: 12,
	}
	assert.Equal(t, `2ms of virtual time, 2 CPUs, 3 threads: 75% busy on average, 100% the busiest
1000000 instructions, 900 accesses, 1 miss, 5 sleeps, 12 context switches
lock sched.lock: waited for 1.5ms in all, by 37 of 400 acquisitions
lock without a name: waited for 20ns in all, by 1 of 3 acquisitions
`, r.String())
	assert.Equal(t, "0s of virtual time, 0 CPUs, 0 threads: 0% busy on average, 0% the busiest\n"+
		"0 instructions, 0 accesses, 0 misses, 0 sleeps, 0 context switches\n", Report{}.String())
}
