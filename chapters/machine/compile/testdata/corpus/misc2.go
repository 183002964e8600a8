package main

import (
	"fmt"
	"os"
)

type level int

const (
	debug level = iota
	info
	warn
)

var names = [...]string{debug: "DEBUG", info: "INFO", warn: "WARN"}

func (l level) String() string {
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("level(%d)", int(l))
}

type logger struct {
	min    level
	prefix string
	lines  []string
	hook   func(level, string) bool
}

func (l *logger) logf(lv level, format string, args ...any) {
	if lv < l.min {
		return
	}
	line := fmt.Sprintf("%s%-5v "+format, append([]any{l.prefix, lv}, args...)...)
	if l.hook != nil && !l.hook(lv, line) {
		return
	}
	l.lines = append(l.lines, line)
}

type event struct {
	at   int
	name string
	fn   func() []event
}

type heap struct{ es []event }

func (h *heap) push(e event) {
	h.es = append(h.es, e)
	for i := len(h.es) - 1; i > 0; {
		p := (i - 1) / 2
		if h.es[p].at <= h.es[i].at {
			break
		}
		h.es[p], h.es[i] = h.es[i], h.es[p]
		i = p
	}
}

func (h *heap) pop() event {
	top := h.es[0]
	last := len(h.es) - 1
	h.es[0] = h.es[last]
	h.es = h.es[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && h.es[c+1].at < h.es[c].at {
			c++
		}
		if h.es[i].at <= h.es[c].at {
			break
		}
		h.es[i], h.es[c] = h.es[c], h.es[i]
		i = c
	}
	return top
}

func main() {
	l := &logger{min: info, prefix: "> "}
	l.logf(debug, "hidden %d", 1)
	l.logf(info, "x=%d y=%q", 1, "two")
	l.hook = func(lv level, s string) bool { return lv != warn || len(s) < 20 }
	l.logf(warn, "short")
	l.logf(warn, "this one is much too long to pass")
	l.logf(level(9), "%v", []level{debug, warn, 7})
	for _, s := range l.lines {
		fmt.Println(s)
	}
	var h heap
	tick := func(at, n int) event { return event{} }
	tick = func(at, n int) event {
		return event{at, fmt.Sprint("tick", n), func() []event {
			if n == 0 {
				return nil
			}
			return []event{tick(at+n, n-1), {at + 1, "note", nil}}
		}}
	}
	for i, at := range []int{5, 1, 9, 3} {
		h.push(tick(at, i))
	}
	count := 0
	for len(h.es) > 0 {
		e := h.pop()
		count++
		if count <= 12 {
			fmt.Print(e.at, ":", e.name, " ")
		}
		if e.fn == nil {
			continue
		}
		for _, n := range e.fn() {
			h.push(n)
		}
	}
	fmt.Println(count)
	if count != 16 {
		fmt.Fprintln(os.Stderr, "count is", count)
	}
	os.Exit(10 + count%7)
}
