package sim

import (
	"fmt"
	"time"

	"gosched/chapters/machine"
)

// A note is the state of a machine.Note.
type note struct {
	id      machine.ID
	set     bool
	sleeper *thread
	ns      int64
}

// note returns the state of a note.
func (s *simulation) note(id machine.ID) *note {
	at := s.notes.at(id)
	if *at == nil {
		*at = &note{id: id}
	}
	return *at
}

func (n *note) describe() string {
	if n.ns < 0 {
		return fmt.Sprintf("on note %d", n.id)
	}
	return fmt.Sprintf("on note %d, for at most %v", n.id, time.Duration(n.ns))
}

func (n *note) timeout(*thread) { n.sleeper = nil }

// NoteSleep returns true when the note is set, false after ns nanoseconds.
func (s *simulation) NoteSleep(id machine.ID, ns int64) bool {
	n := s.note(id)
	s.inOrder(id, machine.AccessCompareAndSwap)
	switch {
	case n.set:
		return true
	case n.sleeper != nil:
		panic(machine.Fatal{Msg: "notesleep - two threads sleep on one note"})
	case ns == 0:
		return false
	}
	n.sleeper, n.ns = s.cur, ns
	woken := s.sleep(n, ns)
	s.inOrder(id, machine.AccessLoad)
	return woken
}

// NoteWakeup sets the note. It returns false if it was set already.
func (s *simulation) NoteWakeup(id machine.ID) bool {
	n := s.note(id)
	if s.landing == nil {
		s.inOrder(id, machine.AccessSwap)
	}
	if n.set {
		return false
	}
	n.set = true
	if th := n.sleeper; th != nil {
		n.sleeper = nil
		if s.landing != nil {
			s.interrupted(th)
		} else {
			s.rouse(th)
		}
	}
	return true
}

// NoteClear takes the signal away.
func (s *simulation) NoteClear(id machine.ID) {
	n := s.note(id)
	s.inOrder(id, machine.AccessStore)
	n.set = false
}

// Signal takes the time of sending one.
func (s *simulation) Signal(id machine.ID) {
	s.inOrder(id, machine.AccessStore)
	s.spend(s.costs.Tgkill)
}

// Kernel lets all others go on that are behind, so that what happens in the kernel
// happens in order. Its time is that of Syscall: the lines that the kernel's own
// data lie on are not looked at, because one lock for all of it is a simplification
// of this machine.
func (s *simulation) Kernel(machine.ID) {
	if s.now > s.horizon {
		s.pass()
	}
}

// Syscall takes the time of entering and leaving the kernel.
func (s *simulation) Syscall() { s.spend(s.costs.Syscall) }

// Disk lets the thread wait for the disk. Its CPU is free meanwhile.
func (s *simulation) Disk() { s.sleep(disk{}, max(1, int64(s.costs.Disk/Nanosecond))) }

type disk struct{}

func (disk) describe() string { return "until the disk has read" }
func (disk) timeout(*thread)  {}
