// Package part is what the tests of package mutation change: a part with a lock, atomic
// variables, cells and plain fields.
package part

import (
	"gosched/chapters/machine"
)

var Parts = struct{ New func(s *sched) *queue }{New: NewQueue}

type queue struct{ s *sched }

func NewQueue(s *sched) *queue { return &queue{s: s} }

type item struct {
	Next, Prev *item
	Link       machine.Cell[*item]
	Count      machine.Cell[int]
}

type sched struct {
	Lock       machine.Mutex
	Head, Tail *item
	Size, Max  int
	Open       bool
	Number     machine.Uint32
	First      machine.Cell[*item]
}

func (s *sched) Ready(i *item)           {}
func (s *sched) Throw(msg string, n int) {}
func (s *sched) Enqueue(i *item)         {}

const one = 1
