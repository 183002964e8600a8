package timeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gosched/chapters/trace"
)

// narrator composes the sentence of a step from its events.
type narrator struct {
	byM bool // there is one queue and no P to speak of
}

// maxClauses bounds a sentence. The first clauses and the last, which says what
// runs now, are kept.
const maxClauses = 9

// sentence says what the events of one step are: one clause for each run of
// events of the same kind.
func (n narrator) sentence(events []trace.Event) string {
	tell := n.worthTelling(events)
	if len(tell) == 0 {
		tell = events
	}
	var clauses []string
	for i := 0; i < len(tell); {
		j := i + 1
		for j < len(tell) && alike(tell[i], tell[j]) {
			j++
		}
		var before *trace.Event
		if i > 0 {
			before = &tell[i-1]
		}
		clauses = append(clauses, n.clause(tell[i:j], before))
		i = j
	}
	if extra := len(clauses) - maxClauses; extra > 0 {
		more := fmt.Sprintf("(%d more events)", extra)
		clauses = slices.Replace(clauses, maxClauses-1, len(clauses)-1, more)
	}
	s := strings.Join(clauses, "; ")
	for _, article := range []string{"the ", "a "} {
		if rest, ok := strings.CutPrefix(s, article); ok {
			s = strings.ToUpper(article[:1]) + article[1:] + rest
		}
	}
	if strings.HasSuffix(s, "!") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// andSleeps is the Text of the Handoff of an M that then sleeps, once worthTelling has told
// the one by the other.
const andSleeps = " and goes to sleep"

// isStopped is the Text of what leaves a P without an M while the world is stopped, or is to
// stop: the P is not idle then.
const isStopped = ", which is stopped"

// andGoesOn is the Text of a Signal without a reason behind which nothing stops its G.
const andGoesOn = ", and the G goes on"

// A request asks G on P to stop, on behalf of M.
type request struct {
	g    int64
	p, m int32
}

// worthTelling drops the events that another one of the step already tells: the Get of a G that
// then runs, the Put of one that was stolen, the search that led to a steal, the signal that
// preempts, a request that is made again and again. It puts the Puts of Gs that are readied one
// after the other behind all the Readys.
func (n narrator) worthTelling(events []trace.Event) []trace.Event {
	var (
		ran, got = map[int64]bool{}, map[int64]string{} // by G; the queue it came from
		stolen   = map[int64]int32{}                    // by G: the P that has it now
		found    = map[int32]bool{}                     // by M: its search is told by its end
		woken    = map[int32]bool{}                     // by M
		acquired = map[int32]int32{}                    // by M: the P it took
		released = map[int32]int32{}                    // by M: the P it gave up
		asleep   = map[int32]bool{}                     // by M
		hit      = map[int64]bool{}                     // by G: a signal preempts it
		stopped  = map[int64]bool{}                     // by G: it parks or is preempted
		asked    = map[request]int64{}                  // how often
		handsOff = map[int32]bool{}                     // by M: it gives up its P and sleeps for another reason than want of work
	)
	for _, e := range events {
		switch e.Kind {
		case trace.Run:
			ran[e.G], found[e.M] = true, true
		case trace.Get:
			got[e.G] = e.Q
		case trace.Steal:
			found[e.M] = true
			for _, id := range e.Gs {
				stolen[id] = e.P
			}
		case trace.Idle:
			found[e.M], asleep[e.M] = true, true
		case trace.Wake, trace.NewM:
			woken[e.M] = e.Text != trace.Polling // one that polls gets its P later
		case trace.Acquire:
			acquired[e.M] = e.P
		case trace.Release:
			released[e.M] = e.P
		case trace.Preempt:
			hit[e.G] = hit[e.G] || e.Text == trace.BySignal
			stopped[e.G] = true
		case trace.Park:
			stopped[e.G] = true
		case trace.Ask:
			asked[request{e.G, e.P, e.M}]++
		case trace.Handoff:
			handsOff[e.M] = asleep[e.M] && e.Text == ""
		}
	}
	var out, puts []trace.Event
	for _, e := range events {
		switch e.Kind {
		case trace.Get:
			if ran[e.G] {
				continue
			}
		case trace.Put:
			if p, ok := stolen[e.G]; ok && p == e.P {
				continue
			}
			if len(out) > 0 && out[len(out)-1].Kind == trace.Ready {
				puts = append(puts, e)
				continue
			}
		case trace.Unspin:
			continue
		case trace.Ask:
			of := request{e.G, e.P, e.M}
			if e.N = asked[of]; e.N == 0 {
				continue
			}
			delete(asked, of)
		case trace.Signal:
			if hit[e.G] {
				continue
			}
			if e.Text == "" && !stopped[e.G] {
				e.Text = andGoesOn
			}
		case trace.Spin:
			if found[e.M] {
				continue
			}
		case trace.Acquire:
			if woken[e.M] {
				continue
			}
		case trace.Release:
			if asleep[e.M] {
				continue
			}
		case trace.Idle:
			if handsOff[e.M] {
				continue
			}
			if p, ok := released[e.M]; ok {
				e.P = p
			}
		case trace.Handoff:
			if handsOff[e.M] {
				e.Text = andSleeps
			}
		case trace.Run:
			e.Q = got[e.G]
		case trace.Wake, trace.NewM:
			if p, ok := acquired[e.M]; ok && e.Text != trace.Polling {
				e.P = p
			}
		}
		if len(puts) > 0 && !alike(out[len(out)-1], e) {
			out, puts = append(out, puts...), nil
		}
		out = append(out, e)
	}
	return append(out, puts...)
}

// alike reports whether a and b go into one clause.
func alike(a, b trace.Event) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case trace.Ready:
		return a.By == b.By
	case trace.Put:
		return a.Q == b.Q && a.P == b.P && a.Head == b.Head
	case trace.Get:
		return a.Q == b.Q && a.P == b.P && a.M == b.M
	case trace.Write, trace.Stack:
		return a.G == b.G
	case trace.Spin, trace.Idle, trace.Wake, trace.NewM, trace.Unspin:
		return (a.P < 0) == (b.P < 0) && a.Text == b.Text
	}
	return false
}

// clause says what es, which are alike, are. before is the event told before.
func (n narrator) clause(es []trace.Event, before *trace.Event) string {
	e, g := es[0], gname(es[0].G)
	switch e.Kind {
	case trace.Spin, trace.Unspin, trace.Idle, trace.Wake, trace.NewM:
		es = once(es)
	}
	switch e.Kind {
	case trace.Create:
		return created(e)
	case trace.Put:
		return n.put(es, before)
	case trace.Get:
		if e.M < 0 {
			return list(gs(es)) + verb(len(es), " leaves ", " leave ") + n.queue(e)
		}
		from := n.queue(e)
		if e.Q == "local" && e.P >= 0 && !n.byM {
			from = "its queue"
		}
		return fmt.Sprintf("%s takes %s from %s", n.row(e), list(gs(es)), from)
	case trace.Run:
		if e.Q == "global" && !n.byM || e.Q == "next" {
			return fmt.Sprintf("%s runs %s, from %s", n.row(e), g, n.queue(e))
		}
		return fmt.Sprintf("%s runs %s", n.row(e), g)
	case trace.Yield:
		return g + " yields"
	case trace.Ask:
		because := ""
		if e.Text != "" {
			because = ": " + e.Text
		}
		times := ""
		if e.N > 1 {
			times = fmt.Sprintf(" %s times", thousands(e.N))
		}
		if e.M >= 0 {
			return fmt.Sprintf("%s on %s is asked%s to stop%s", g, pname(e.P), times, because)
		}
		return fmt.Sprintf("the monitor asks %s on %s%s to stop%s", g, pname(e.P), times, because)
	case trace.Signal:
		then := e.Text
		if then != "" && then != andGoesOn {
			then = ", and cannot stop it there: " + e.Text
		}
		return fmt.Sprintf("a signal hits %s%s%s", g, line(e), then)
	case trace.Preempt:
		switch e.Text {
		case trace.ByCall:
			return g + " is preempted at a call" + line(e)
		case trace.BySignal:
			return g + " is preempted by a signal" + line(e)
		}
		return g + " is preempted" + why(e)
	case trace.Park:
		return g + " parks" + why(e)
	case trace.Ready:
		if e.By > 0 {
			return fmt.Sprintf("%s makes %s ready", gname(e.By), list(gs(es)))
		}
		return list(gs(es)) + verb(len(es), " becomes", " become") + " ready"
	case trace.Fire:
		if e.G > 0 {
			return "the sleep of " + g + " is over"
		}
		return "a timer fires"
	case trace.Exit:
		return g + " ends"
	case trace.Syscall:
		return g + " enters a system call" + why(e)
	case trace.Sysexit:
		if !n.byM && e.P < 0 {
			return fmt.Sprintf("%s returns from its system call, and M%d has no P", g, e.M)
		}
		return g + " returns from its system call"
	case trace.Steal:
		return stolen(n.row(e), e)
	case trace.Spin:
		return n.rows(es) + verb(len(es), " looks", " look") + " for work"
	case trace.Unspin:
		return n.rows(es) + verb(len(es), " stops", " stop") + " looking for work"
	case trace.Idle:
		return n.idle(es)
	case trace.Wake:
		if e.Text == trace.Polling {
			return ms(es) + verb(len(es), " returns", " return") + " from the netpoller"
		}
		return n.rows(es) + verb(len(es), " wakes", " wake") + " up"
	case trace.NewM:
		if e.P >= 0 && !n.byM {
			return fmt.Sprintf("%s gets a new thread, M%d", n.row(e), e.M)
		}
		return ms(es) + verb(len(es), " is", " are") + " created"
	case trace.Acquire:
		return fmt.Sprintf("M%d takes %s", e.M, pname(e.P))
	case trace.Release:
		return fmt.Sprintf("M%d gives up %s%s", e.M, pname(e.P), e.Text)
	case trace.Stop:
		return n.row(e) + " stops the world" + why(e)
	case trace.Start:
		return fmt.Sprintf("the world starts again, with %s %s", thousands(e.N), verb(int(e.N), "P", "Ps"))
	case trace.Handoff:
		switch e.Text {
		case trace.Retaken:
			return fmt.Sprintf("the monitor retakes %s from M%d, which stays in its system call without a P", pname(e.P), e.M)
		case trace.Halted:
			return fmt.Sprintf("%s is stopped, and M%d stays in its system call without a P", pname(e.P), e.M)
		}
		return fmt.Sprintf("M%d hands off %s%s", e.M, pname(e.P), e.Text)
	case trace.Stack:
		copies := ""
		if len(es) > 1 {
			copies = fmt.Sprintf(", in %d copies", len(es))
		}
		return fmt.Sprintf("the stack of %s grows to %s bytes%s", g, thousands(es[len(es)-1].N), copies)
	case trace.Write:
		return printed(g, es)
	case trace.Note:
		return "note: " + e.Text
	case trace.End:
		return ended(e)
	}
	return string(e.Kind)
}

func created(e trace.Event) string {
	what := ""
	if e.Text != "" {
		what = " (" + e.Text + ")"
	}
	if e.By > 0 {
		return gname(e.By) + " creates " + gname(e.G) + what
	}
	return gname(e.G) + " is created" + what
}

func (n narrator) put(es []trace.Event, before *trace.Event) string {
	e := es[0]
	who, one := list(gs(es)), len(es) == 1
	if one && before != nil && before.G == e.G {
		switch before.Kind {
		case trace.Create, trace.Yield, trace.Preempt, trace.Ready:
			who = "it"
		}
	}
	end := "tail"
	if e.Head {
		end = "head"
	}
	switch {
	case e.Q == "next" && !n.byM:
		return who + verb(len(es), " goes to ", " go to ") + n.queue(e)
	case e.Q == "idle":
		return who + verb(len(es), " waits", " wait") + " for its M"
	}
	return fmt.Sprintf("%s%s the %s of %s", who, verb(len(es), " goes to", " go to"), end, n.queue(e))
}

func stolen(thief string, e trace.Event) string {
	if len(e.Gs) == 1 {
		return fmt.Sprintf("%s steals %s from P%d", thief, gname(e.Gs[0]), e.From)
	}
	return fmt.Sprintf("%s steals %d Gs from P%d (%s)", thief, len(e.Gs), e.From, list(e.Gs))
}

// idle says that Ms sleep, or wait in the netpoller, and what becomes of the Ps that they held.
func (n narrator) idle(es []trace.Event) string {
	polls := es[0].Text == trace.Polling
	if n.byM || es[0].P < 0 {
		if polls {
			return ms(es) + verb(len(es), " waits", " wait") + " in the netpoller"
		}
		return ms(es) + verb(len(es), " goes", " go") + " to sleep"
	}
	ps, does := "idle", verb(len(es), " sleeps", " sleep")
	if polls {
		does = verb(len(es), " waits", " wait") + " in the netpoller"
	} else if es[0].Text == isStopped {
		ps = "stopped"
	}
	return n.rows(es) + verb(len(es), " is ", " are ") + ps + ", " + ms(es) + does
}

// printed quotes one short line and counts more of them.
func printed(g string, es []trace.Event) string {
	var text strings.Builder
	for _, e := range es {
		text.WriteString(e.Text)
	}
	all := text.String()
	lines := strings.Count(strings.TrimSuffix(all, "\n"), "\n") + 1
	if lines > 1 {
		return fmt.Sprintf("%s prints %s lines", g, thousands(int64(lines)))
	}
	line := []rune(strings.TrimSuffix(all, "\n"))
	if len(line) > 40 {
		line = append(line[:39], '…')
	}
	return fmt.Sprintf("%s prints %q", g, string(line))
}

func ended(e trace.Event) string {
	s := "the program ends"
	if e.N != 0 {
		s += fmt.Sprintf(" with status %d", e.N)
	}
	if e.Text != "" {
		s += ": " + e.Text
	}
	return s
}

// line says where in the program e happened.
func line(e trace.Event) string {
	if e.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" in line %d", e.Line)
}

func why(e trace.Event) string {
	if e.Text == "" {
		return ""
	}
	return " (" + e.Text + ")"
}

// queue names the queue of e.
func (n narrator) queue(e trace.Event) string {
	switch {
	case n.byM:
		return "the queue"
	case e.Q == "local" && e.P >= 0:
		return pname(e.P) + "'s queue"
	case e.Q == "next":
		return "runnext"
	case e.Q == "idle":
		return "its M"
	}
	return "the global queue"
}

// row names the P that acts, or the M where there is none.
func (n narrator) row(e trace.Event) string {
	if n.byM || e.P < 0 {
		return fmt.Sprintf("M%d", e.M)
	}
	return pname(e.P)
}

func (n narrator) rows(es []trace.Event) string {
	return join(es, n.row)
}

// once returns one event for each M, since an M may have looked for work again
// and again.
func once(es []trace.Event) []trace.Event {
	var out []trace.Event
	for _, e := range es {
		if !slices.ContainsFunc(out, func(x trace.Event) bool { return x.M == e.M }) {
			out = append(out, e)
		}
	}
	return out
}

func ms(es []trace.Event) string {
	return join(es, func(e trace.Event) string { return fmt.Sprintf("M%d", e.M) })
}

func gs(es []trace.Event) []int64 {
	var ids []int64
	for _, e := range es {
		ids = append(ids, e.G)
	}
	return ids
}

// list names Gs; of many it names the first.
func list(ids []int64) string { return join(ids, gname) }

const maxNames = 8

func join[T any](items []T, name func(T) string) string {
	var names []string
	for _, x := range items[:min(len(items), maxNames)] {
		names = append(names, name(x))
	}
	s := strings.Join(names, ", ")
	if more := len(items) - maxNames; more > 0 {
		s += fmt.Sprintf(" and %s more", thousands(int64(more)))
	}
	return s
}

func gname(id int64) string {
	switch {
	case id == 1:
		return "main"
	case id <= 0:
		return "no G"
	}
	return "G" + strconv.FormatInt(id, 10)
}

func pname(id int32) string {
	if id < 0 {
		return "no P"
	}
	return "P" + strconv.Itoa(int(id))
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// thousands writes n with a comma between groups of three digits.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
