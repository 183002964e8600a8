package machine

// A CostHook is a Hook that charges time for what costs some. It also learns what
// is not an access to a shared variable, and which of these lie close together.
type CostHook interface {
	Hook
	// Gogo comes before the CPU goes on with a Context, Trapped when it has
	// stopped, with the reason. Ran tells how many instructions it executed
	// in between.
	Gogo()
	Trapped(trap Trap)
	// Syscall comes when a thread enters the kernel, for the time of entering and
	// leaving it. Disk comes when it waits there for the disk.
	Syscall()
	Disk()
	// Passed says that the thread has worked for ns nanoseconds at what is no instruction of
	// the program.
	Passed(ns int64)
	// Join says that what has the second ID lies on the cache line of what has the first.
	Join(line, id ID)
}

// A Shared is a variable that a Hook sees: an atomic one, a Cell, a Mutex, a
// Note or a Signal.
type Shared interface {
	touch() ID
	// join puts it on the line of another, which has an ID already.
	join(line ID)
}

// Together says that variables share a cache line, as neighbouring fields of a
// struct do: whoever takes one of them to its CPU takes them all. Without it
// each lies on a line of its own. It is a fact about the layout that the code
// stands for, so it changes nothing but time on simulated CPUs, and is nothing at
// all where there is no hook. Call it before the variables are used, on a thread
// of the simulation.
func Together(vars ...Shared) {
	if costs == nil || len(vars) == 0 {
		return
	}
	line := vars[0].touch()
	for _, v := range vars[1:] {
		v.join(line)
	}
}

// join gives a variable that has no ID yet that of the line: all that a CostHook keeps of a
// variable is where its line is, and there are far fewer lines.
func (t *tag) join(line ID) {
	if !t.touched() {
		t.take(line)
	} else if t.touch() != line {
		costs.Join(line, t.touch())
	}
}

// A Mutex and a Note keep an ID of their own, since a Hook knows by it whose they are.
func (mu *Mutex) join(line ID) { costs.Join(line, mu.touch()) }
func (n *Note) join(line ID)   { costs.Join(line, n.touch()) }

// costs is hook, if it is a CostHook.
var costs CostHook

// hookRun is run under a hook: in portions, so that other threads get their turn.
func (t *Thread) hookRun(c *Context, n int64) (left int64, trap Trap) {
	if costs != nil {
		costs.Gogo()
	}
	for trap = TrapBudget; n > 0 && trap == TrapBudget; {
		portion := min(n, hook.Budget())
		left, trap = t.run(c, portion)
		hook.Ran(portion - left)
		n -= portion - left
	}
	if costs != nil {
		costs.Trapped(trap)
	}
	return n, trap
}
