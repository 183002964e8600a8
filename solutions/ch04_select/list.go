//course:omit
package ch04

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// List is the form of the semaphores through Go 1.8.
var List = gmp.Version{Semaphores: NewListSemaphores}

// listSemaphores keep the waiters of a root in one list, those of all addresses,
// in the order in which they came. Waking one means walking past the waiters of
// all other addresses.
//
// The runtime of those days knew neither lifo nor handoff, since nothing asked for
// them: the sync.Mutex that goes into starvation mode came with 1.9, too. The sync
// of this course is today's, in all versions, so both are here.
type listSemaphores struct{ semaphores }

// NewListSemaphores makes the Semaphores of s, in the form through Go 1.8.
func NewListSemaphores(s *gmp.Sched) gmp.Semaphores { return &listSemaphores{semaphores{s: s}} }

// SemaQueue adds sg to the list. With lifo it is the first of all addresses, and
// so of its own.
func (p *listSemaphores) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	sg.Elem.Set(addr)
	first := root.List.First.Get()
	if !lifo || first == nil {
		p.s.Enqueue(&root.List, sg)
		return
	}
	sg.Next.Set(first)
	first.Prev.Set(sg)
	root.List.First.Set(sg)
}

// SemaDequeue takes the first waiter of addr, wherever it is.
func (p *listSemaphores) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	sg := root.List.First.Get()
	for sg != nil && sg.Elem.Get() != addr {
		sg = sg.Next.Get()
	}
	if sg != nil {
		p.s.DequeueSudoG(&root.List, sg)
		sg.Elem.Set(0)
	}
	return sg
}
