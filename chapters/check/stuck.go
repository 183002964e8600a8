package check

import (
	"slices"
	"strings"

	"gosched/chapters/gmp"
	"gosched/chapters/stacks"
)

// stuckAt looks for the goroutine that a check is stuck in: it says in words
// where a part stands, and returns its stack.
func stuckAt(id string) (where, stack string) {
	all := stacks.All()
	at := slices.IndexFunc(all, func(g string) bool { return strings.HasPrefix(g, id) })
	switch {
	case at < 0:
		return "its goroutine is gone", strings.Join(all, "\n\n")
	case strings.Contains(all[at], "explore.Explore("):
		if thread, ok := modelThread(all); ok {
			return standsAt(thread), thread // the threads of a model are goroutines of their own
		}
	case strings.Contains(all[at], "machine/sim."):
		if thread, ok := simThread(all); ok {
			return standsAt(thread), thread // so are those of a simulation
		}
	case strings.Contains(all[at], "gmp.(*Sched).Main("):
		if ms := startedBy(all[at], all); len(ms) > 0 { // it waits for them
			return stand(ms), strings.Join(append(ms, all[at]), "\n\n")
		}
	}
	return standsAt(all[at]), all[at]
}

// standsAt says in words where the part stands that runs on stack.
func standsAt(stack string) string {
	head, _, _ := strings.Cut(stack, "\n")
	at := partFrame(stack)
	switch {
	case at == "":
		return "no part was running then"
	case loops(stack):
		return "it was in a loop at " + at
	case strings.Contains(stack, "machine.(*Mutex).Lock"):
		return "it waited for a lock at " + at + ", and the lock is never released: was it taken twice, or not released earlier, or does the caller hold it?"
	default:
		_, state, _ := strings.Cut(head, "[")
		state, _, _ = strings.Cut(state, "]")
		return "it was blocked (" + state + ") at " + at
	}
}

// stand is standsAt for the Ms of a program on real threads: of the most telling one, or
// of all if they sleep.
func stand(ms []string) string {
	slices.SortStableFunc(ms, func(a, b string) int { return urgency(a) - urgency(b) })
	if urgency(ms[0]) < asleep {
		return standsAt(ms[0])
	}
	var places []string
	for _, m := range ms {
		if at := partFrame(m); at != "" && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	if places == nil {
		return "no part was running then"
	}
	return "the program had not ended, and all its Ms slept, at " + strings.Join(places, ", at ")
}

// What an M does that keeps a program from ending, the most telling first.
const (
	looping = iota
	locking
	asleep
	elsewhere // in no part
)

func urgency(stack string) int {
	switch {
	case partFrame(stack) == "":
		return elsewhere
	case loops(stack):
		return looping
	case strings.Contains(stack, "machine.(*Mutex).Lock"):
		return locking
	}
	return asleep
}

// loops reports whether stack is at work, or only pauses.
func loops(stack string) bool {
	head, _, _ := strings.Cut(stack, "\n")
	return runs(head) || strings.Contains(stack, "machine.Osyield(") || strings.Contains(stack, "machine.Usleep(")
}

// startedBy returns the stacks of the goroutines that the one of stack started, and of
// those that they started.
func startedBy(stack string, all []string) []string {
	var found []string
	head, _, _ := strings.Cut(stack, " [") // "goroutine 12"
	for _, g := range all {
		if strings.Contains(g+"\n", " in "+head+"\n") {
			found = append(found, g)
			found = append(found, startedBy(g, all)...)
		}
	}
	return found
}

// runs reports whether the head of a goroutine's listing says that it runs, or could.
func runs(head string) bool {
	return strings.Contains(head, "[running") || strings.Contains(head, "[runnable")
}

// modelThread returns the stack of the thread of a model that runs now.
func modelThread(all []string) (stack string, ok bool) {
	for _, g := range all {
		head, _, _ := strings.Cut(g, "\n")
		if runs(head) && strings.Contains(g, "explore.") && partFrame(g) != "" {
			return g, true
		}
	}
	return "", false
}

// simThread returns the stack of the thread of a simulation that is in a part: the one that runs,
// else, since all others wait for their turn, the first.
func simThread(all []string) (stack string, ok bool) {
	for _, g := range all {
		head, _, _ := strings.Cut(g, "\n")
		if !strings.Contains(g, "machine/sim.(*simulation).live(") || partFrame(g) == "" {
			continue
		}
		if runs(head) {
			return g, true
		}
		if !ok {
			stack, ok = g, true
		}
	}
	return stack, ok
}

// partFrame returns the innermost frame of a stack that belongs to a part:
// "exercises/ch02_onethread/loop.go:31 in ch02_onethread.(*loop).Schedule", "" if there is none.
func partFrame(stack string) string {
	place, function, ok := stacks.Part(stack)
	if !ok {
		return ""
	}
	return gmp.ShortFile(place) + " in " + function
}
