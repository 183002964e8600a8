package explore

import (
	"fmt"
	"strings"
)

// An entry of the ledger says that a thread put something somewhere, or took it.
type entry struct {
	v     any
	take  bool
	who   string
	event int // number of steps of the execution before it

	counted bool // by balance
}

// Put notes that v is given to the model: to a queue, say. The thread that gives v calls
// it, before or after it does so. In the end everything that was put must have been taken
// exactly once; what is lost or doubled is reported with one sentence each. v must be
// comparable: a pointer or a number.
func (m *Model) Put(v any) { m.enter(v, false) }

// Take notes that v came out again. Checks may call it, too, for what is left.
func (m *Model) Take(v any) { m.enter(v, true) }

func (m *Model) enter(v any, take bool) {
	m.ledger = append(m.ledger, entry{v: v, take: take, who: m.x.who(), event: m.x.steps()})
	if m.x.record != nil {
		verb := "puts"
		if take {
			verb = "takes"
		}
		m.x.record.note(m.x.cur, verb+" "+m.name(v))
	}
}

// balance returns a sentence for each value that was not taken exactly as often
// as it was put.
func (m *Model) balance() []string {
	var wrong []string
	for i := range m.ledger {
		first := &m.ledger[i]
		if first.counted {
			continue
		}
		surplus := 0
		for j := i; j < len(m.ledger); j++ {
			e := &m.ledger[j]
			switch {
			case e.counted || e.v != first.v:
				continue
			case e.take:
				surplus--
			default:
				surplus++
			}
			e.counted = true
		}
		if surplus != 0 {
			wrong = append(wrong, m.imbalance(m.name(first.v), m.entries(first.v, false), m.entries(first.v, true)))
		}
	}
	return wrong
}

// entries returns those that put v, or those that take it.
func (m *Model) entries(v any, take bool) []entry {
	var list []entry
	for _, e := range m.ledger {
		if e.v == v && e.take == take {
			list = append(list, e)
		}
	}
	return list
}

func (m *Model) imbalance(name string, puts, takes []entry) string {
	switch {
	case len(takes) == 0:
		return fmt.Sprintf("%s is lost: %s put it%s, and it was never taken", name, puts[0].who, puts[0].at())
	case len(puts) == 0:
		return fmt.Sprintf("%s took %s%s, which had never been put", takes[0].who, name, takes[0].at())
	case len(takes) < len(puts):
		return fmt.Sprintf("%s is lost: it was put %s and taken only %s", name, times(len(puts)), times(len(takes)))
	}
	var list []string
	for _, e := range takes {
		list = append(list, e.who+e.at())
	}
	return fmt.Sprintf("%s is doubled: it was put %s and taken %s, by %s", name, times(len(puts)), times(len(takes)), strings.Join(list, " and by "))
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// at says after which step an entry was made.
func (e entry) at() string {
	if e.event == 0 {
		return ""
	}
	return fmt.Sprintf(" after step %d", e.event)
}
