package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

type node struct {
	id   int
	self *node
	text string
}

// A place holds the only pointer to a node, and loses it when that is taken.
type place struct {
	name string
	put  func(p *node)
	take func() *node
}

var (
	variable  *node
	variables [3]any
)

type record struct {
	n    int
	p    *node
	text string
	any  any
}

func places() []place {
	field := &record{}
	boxed := new(any)
	list := make([]*node, 0, 8)
	grown := []*node{}
	array := &[40]record{}
	copied := make([]record, 3)
	values, keys, cleared := map[int]*node{}, map[*node]int{}, map[string]record{}
	var pointer atomic.Pointer[node]
	var swapped, compared atomic.Pointer[node]
	var anything atomic.Value
	buffered, selected := make(chan *node, 2), make(chan record, 1)
	direct, sent, fired, never := make(chan *node), make(chan *node), make(chan *node), make(chan *node)
	var captured func() *node
	var stringed []byte
	names := map[string]*node{}
	linked := &node{}
	return []place{
		{"field", func(p *node) { field.p = p }, func() *node { p := field.p; field.p = nil; return p }},
		{"box", func(p *node) { *boxed = p }, func() *node { p := (*boxed).(*node); *boxed = nil; return p }},
		{"variable", func(p *node) { variable = p }, func() *node { p := variable; variable = nil; return p }},
		{"variables", func(p *node) { variables = [3]any{1, p} }, func() *node {
			p := variables[1].(*node)
			variables = [3]any{}
			return p
		}},
		{"append", func(p *node) { list = append(list[:0], p) }, func() *node { p := list[0]; clear(list); return p }},
		{"grow", func(p *node) {
			grown = make([]*node, 1)
			grown[0] = p
			grown = append(grown, nil, nil, nil)
		}, func() *node { p := grown[0]; grown[0] = nil; return p }},
		{"array", func(p *node) { array[39] = record{1, p, "x", nil} }, func() *node { p := array[39].p; *array = [40]record{}; return p }},
		{"copy", func(p *node) { copy(copied[1:], []record{{p: p, any: p.id}}) }, func() *node {
			p := copied[1].p
			copy(copied, make([]record, 3))
			return p
		}},
		{"value", func(p *node) { values[p.id] = p }, func() (p *node) {
			for _, p = range values {
			}
			clear(values)
			return p
		}},
		{"key", func(p *node) { keys[p] = p.id }, func() (p *node) {
			for p = range keys {
			}
			clear(keys)
			return p
		}},
		{"many", func(p *node) {
			cleared["p"] = record{p: p}
			for i := range 20 {
				cleared[fmt.Sprint(i)] = record{n: i}
			}
		}, func() *node { p := cleared["p"].p; clear(cleared); return p }},
		{"pointer", pointer.Store, func() *node { p := pointer.Load(); pointer.Store(nil); return p }},
		{"swap", func(p *node) { swapped.Swap(p) }, func() *node { return swapped.Swap(nil) }},
		{"compare", func(p *node) { compared.CompareAndSwap(nil, p) }, func() *node {
			p := compared.Load()
			compared.CompareAndSwap(p, nil)
			return p
		}},
		{"any", func(p *node) { anything.Store(p) }, func() *node {
			p := anything.Load().(*node)
			anything.Store((*node)(nil))
			return p
		}},
		{"buffer", func(p *node) { buffered <- p }, func() *node { return <-buffered }},
		{"select", func(p *node) {
			select {
			case selected <- record{p: p, text: "s"}:
			case <-never:
			}
		}, func() *node { return (<-selected).p }},
		{"direct", func(p *node) {
			ready := make(chan bool)
			go func() { ready <- true; direct <- p }()
			<-ready
		}, func() *node { return <-direct }},
		{"closure", func(p *node) { captured = func() *node { return p } }, func() *node { p := captured(); captured = nil; return p }},
		{"go", func(p *node) { go send(sent, p) }, func() *node { return <-sent }},
		{"defer", func(p *node) {
			defer func(q *node) { field.any = q }(p)
			p = nil
			garbage(30)
		}, func() *node { p := field.any.(*node); field.any = nil; return p }},
		{"after", func(p *node) { time.AfterFunc(time.Microsecond, func() { fired <- p }) }, func() *node { return <-fired }},
		{"string", func(p *node) {
			stringed = append([]byte(nil), fmt.Sprint("node ", p.id)...)
			names[string(stringed)] = p
		}, func() *node { p := names[string(stringed)]; delete(names, string(stringed)); return p }},
		{"link", func(p *node) { linked.self = p }, func() *node { p := linked.self; linked.self = nil; return p }},
	}
}

func send(c chan<- *node, p *node) { c <- p }

var random = uint32(1)

// garbage makes n objects that nobody needs.
func garbage(n int) (last *node) {
	for i := range n {
		last = &node{id: i}
	}
	return last
}

// some is a number of objects: often few, sometimes enough for a collection or two.
func some() int {
	random = random*1664525 + 1013904223
	return [...]int{0, 1, 2, 5, 20, 60, 120, 200}[random>>29]
}

func look(p *node, where string) {
	if p.self != p || p.text != fmt.Sprint("node ", p.id) {
		fmt.Println("lost", where)
	}
}

func newNode(id int) *node {
	p := &node{id: id, text: fmt.Sprint("node ", id)}
	p.self = p
	return p
}

// grow lets a slice and a map grow that only its frame knows, with all that is in them.
func grow() {
	list, named := []*node{newNode(1)}, map[*node]*node{}
	for i := range 8 {
		named[newNode(i)] = newNode(i)
	}
	garbage(some())
	list = append(list, nil)
	named[newNode(8)] = newNode(8)
	garbage(some())
	look(list[0], "from a slice")
	for key, value := range named {
		look(key, "key")
		look(value, "value")
	}
}

// start starts a goroutine with a closure that only its frame knows.
func start() {
	p, done := newNode(1), make(chan bool)
	late := func() {
		garbage(some())
		look(p, "from a closure")
		done <- true
	}
	garbage(some())
	go late()
	<-done
}

func main() {
	all := places()
	for i, pl := range all {
		pl.put(newNode(i))
	}
	for range 3 {
		p := all[0].take()
		for _, pl := range all[1:] {
			garbage(some())
			q := pl.take()
			look(p, "before "+pl.name)
			pl.put(p)
			p = q
			garbage(some())
			look(p, "from "+pl.name)
		}
		all[0].put(p)
	}
	for range 20 {
		grow()
		start()
	}
	fmt.Println("ok")
}
