package whole

import "gosched/book"

// sources are the steps of findRunnable in Go 1.26, in their order.
var sources = []book.Source{
	{Label: "the world is to stop", Method: "World.Gcstopm", Code: "gcstopm()"},
	{Label: "a function for each P", Method: "World.RunSafePointFn", Code: "runSafePointFn()"},
	{Label: "timers of its own P", Method: "Timers.CheckTimers", Code: "pp.timers.check(0, nil)"},
	{Label: "reader of the trace", Code: "traceReader()"},
	{Label: "worker of the collector", Method: "GCWork.FindRunnableGCWorker", Code: "gcController.findRunnableGCWorker(pp, now)"},
	{Label: "every 61st: global queue", Method: "Sources.Nearby", Code: "pp.schedtick%61 == 0"},
	{Label: "finalizers", Method: "GCWork.Wakefing", Code: "wakefing()"},
	{Label: "cleanups", Code: "gcCleanups.wake()"},
	{Label: "runnext, then the ring", Method: "RunQueue.Runqget", Code: "runqget(pp)"},
	{Label: "a batch of the global queue", Method: "Sources.Globrunqgetlocal", Code: "globrunqgetbatch("},
	{Label: "the network, without waiting", Method: "NetPoller.Netpoll", Code: "netpoll(0)"},
	{Label: "other Ps: steal", Method: "Stealing.StealWork", Code: "stealWork(now)"},
	{Label: "idle worker of the collector", Method: "GCWork.IdleGCWorker", Code: "gcController.addIdleMarkWorker()"},
	{Label: "the global queue once more", Method: "RunQueue.Globrunqgetbatch", Code: "globrunqgetbatch("},
	{Label: "the P is given back", Method: "Procs.Pidleput", Code: "pidleput(pp, now)"},
	{Label: "last look: all queues", Method: "Wakeups.CheckRunqsNoP", Code: "checkRunqsNoP("},
	{Label: "last look: the collector", Method: "GCWork.CheckIdleGCNoP", Code: "checkIdleGCNoP()"},
	{Label: "last look: all timers", Method: "Timers.CheckTimersNoP", Code: "checkTimersNoP("},
	{Label: "the network, until a timer", Method: "NetPoller.Netpoll", Code: "netpoll(delay)"},
	{Label: "sleep", Method: "Wakeups.Stopm", Code: "stopm()"},
}

var goroutineStates = book.Diagram{
	Title: "A goroutine", Width: 360, Height: 416,
	States: []book.State{
		{Name: "idle", X: 50, Y: 20}, {Name: "dead", X: 50, Y: 110}, {Name: "runnable", X: 180, Y: 110}, {Name: "waiting", X: 310, Y: 110},
		{Name: "running", X: 180, Y: 260},
		{Name: "syscall", X: 50, Y: 400}, {Name: "copystack", X: 180, Y: 400}, {Name: "preempted", X: 310, Y: 400},
	},
}

// goroutineEdges says how the edges of a G are drawn, and who makes those that no method of
// the course makes.
var goroutineEdges = map[[2]string]book.Edge{
	{"idle", "dead"}:         {},
	{"dead", "runnable"}:     {},
	{"dead", "waiting"}:      {Note: "iter.Pull", Bend: 40},
	{"runnable", "running"}:  {},
	{"running", "runnable"}:  {Upright: true},
	{"running", "waiting"}:   {Upright: true},
	{"running", "syscall"}:   {},
	{"running", "dead"}:      {},
	{"running", "copystack"}: {},
	{"running", "preempted"}: {},
	{"waiting", "runnable"}:  {Upright: true},
	{"waiting", "running"}:   {},
	{"syscall", "running"}:   {},
	{"syscall", "runnable"}:  {},
	{"copystack", "running"}: {},
	{"preempted", "waiting"}: {},
}

// processors is the diagram of a P. The state syscall is that of Go 1.1 to 1.25.
var processors = book.Diagram{
	Title: "A P", Width: 360, Height: 306,
	States: []book.State{
		{Name: "idle", X: 60, Y: 30}, {Name: "running", X: 300, Y: 30}, {Name: "gcstop", X: 180, Y: 160},
		{Name: "dead", X: 60, Y: 290}, {Name: "syscall", X: 300, Y: 290},
	},
	Edges: []book.Edge{
		{From: "idle", To: "running", Methods: []string{"Procs.Wirep"}},
		{From: "running", To: "idle", Methods: []string{"Procs.Releasep"}},
		{From: "running", To: "gcstop", Methods: []string{"World.StopTheWorldWithSema", "World.Gcstopm", "Syscalls.Handoffp"}, Upright: true},
		{From: "idle", To: "gcstop", Methods: []string{"World.StopTheWorldWithSema"}},
		{From: "gcstop", To: "running", Methods: []string{"Procs.Procresize"}},
		{From: "gcstop", To: "idle", Methods: []string{"Procs.Procresize", "World.ForEachP"}, Upright: true},
		{From: "gcstop", To: "dead", Methods: []string{"Procs.Procresize"}},
		{From: "dead", To: "idle", Methods: []string{"Procs.Procresize"}},
		{From: "running", To: "syscall", Methods: []string{"Syscalls.Entersyscall"}},
		{From: "syscall", To: "idle", Methods: []string{"Syscalls.RetakeSyscall", "Syscalls.ExitsyscallFast"}, At: 0.3, Bend: 40},
		{From: "syscall", To: "gcstop", Methods: []string{"Syscalls.GcstopSyscall"}},
	},
}

// threads is the diagram of an M. Its states are in no field; they are what it does.
var threads = book.Diagram{
	Title: "An M", Width: 360, Height: 396,
	States: []book.State{
		{Name: "new", X: 50, Y: 20}, {Name: "sleeps", X: 180, Y: 20}, {Name: "polls", X: 310, Y: 20},
		{Name: "looks", X: 50, Y: 140}, {Name: "spins", X: 310, Y: 140},
		{Name: "runs a G", X: 180, Y: 260},
		{Name: "in a call", X: 50, Y: 380}, {Name: "for its G", X: 180, Y: 380}, {Name: "ends", X: 310, Y: 380},
	},
	Edges: []book.Edge{
		{From: "new", To: "looks", Methods: []string{"Threads.Newm"}},
		{From: "sleeps", To: "looks", Methods: []string{"Wakeups.Startm"}},
		{From: "looks", To: "sleeps", Methods: []string{"World.Gcstopm"}},
		{From: "sleeps", To: "spins", Methods: []string{"Wakeups.Wakep"}},
		{From: "spins", To: "sleeps", Methods: []string{"Wakeups.Stopm"}},
		{From: "looks", To: "spins", Methods: []string{"Wakeups.BecomeSpinning"}},
		{From: "looks", To: "runs a G", Methods: []string{"Loop.Execute"}},
		{From: "runs a G", To: "looks", Methods: []string{"Loop.Schedule"}},
		{From: "spins", To: "runs a G", Methods: []string{"Wakeups.Resetspinning"}},
		{From: "spins", To: "polls", Methods: []string{"NetPoller.Netpoll"}},
		{From: "polls", To: "spins", Methods: []string{"NetPoller.NetpollBreak"}},
		{From: "runs a G", To: "in a call", Methods: []string{"Syscalls.Entersyscall"}},
		{From: "in a call", To: "runs a G", Methods: []string{"Syscalls.Exitsyscall"}},
		{From: "in a call", To: "sleeps", Methods: []string{"Syscalls.ExitsyscallNoP"}, At: 0.8},
		{From: "runs a G", To: "for its G", Methods: []string{"LockedThreads.Stoplockedm"}},
		{From: "for its G", To: "runs a G", Methods: []string{"LockedThreads.Startlockedm"}},
		{From: "runs a G", To: "ends", Methods: []string{"LockedThreads.Mexit"}},
	},
}
