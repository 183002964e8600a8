package check

import (
	"runtime"
	"strings"

	"gosched/chapters/gmp"
)

// goroutineID returns the head of the calling goroutine's listing up to its
// state: "goroutine 12 [".
func goroutineID() string {
	buf := make([]byte, 64)
	head, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "[")
	return head + "["
}

// stuckAt looks for the goroutine that a check is stuck in: it says in words
// where a part stands, and returns its stack.
func stuckAt(id string) (where, stack string) {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	for _, g := range strings.Split(string(buf), "\n\n") {
		if !strings.HasPrefix(g, id) {
			continue
		}
		if strings.Contains(g, "explore.Explore(") {
			if thread, ok := modelThread(string(buf)); ok {
				g = thread // the threads of a model are goroutines of their own
			}
		}
		head, _, _ := strings.Cut(g, "\n")
		at := partFrame(g)
		switch {
		case at == "":
			return "no part was running then", g
		case runs(head), strings.Contains(g, "machine.Osyield("), strings.Contains(g, "machine.Usleep("):
			return "it was in a loop at " + at, g
		case strings.Contains(g, "machine.(*Mutex).Lock"):
			return "it waited for a lock at " + at + ", and nobody gives it back; was it taken twice, or not given back before?", g
		default:
			_, state, _ := strings.Cut(head, "[")
			state, _, _ = strings.Cut(state, "]")
			return "it was blocked (" + state + ") at " + at, g
		}
	}
	return "its goroutine is gone", string(buf)
}

// runs reports whether the head of a goroutine's listing says that it runs, or could.
func runs(head string) bool {
	return strings.Contains(head, "[running") || strings.Contains(head, "[runnable")
}

// modelThread returns the stack of the thread of a model that runs now.
func modelThread(stacks string) (stack string, ok bool) {
	for _, g := range strings.Split(stacks, "\n\n") {
		head, _, _ := strings.Cut(g, "\n")
		if runs(head) && strings.Contains(g, "explore.") && partFrame(g) != "" {
			return g, true
		}
	}
	return "", false
}

// partFrame returns the innermost frame of a stack that belongs to a part:
// "exercises/ch02_onethread/loop.go:31 in ch02.(*loop).Schedule".
func partFrame(stack string) string {
	lines := strings.Split(stack, "\n")
	for i, line := range lines {
		fn := line
		if i+1 == len(lines) || !(strings.HasPrefix(fn, "gosched/exercises/") || strings.HasPrefix(fn, "gosched/solutions/")) {
			continue
		}
		file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		if p := strings.LastIndexByte(fn, '('); p > 0 {
			fn = fn[:p]
		}
		return gmp.ShortFile(file) + " in " + fn[strings.LastIndexByte(fn, '/')+1:]
	}
	return ""
}
