package machine

import (
	"maps"
	"slices"
)

// What is to happen when the program can no longer reach an object is kept beside the
// heap, as in Go's specials.

// A special is a closure of the program that is to be called then: a finalizer, which takes
// the object, so that that lives on until it has been called; or a cleanup.
type special struct {
	closure   Addr
	finalizer bool
	id        uint64 // of a cleanup
}

// A Finalizer is a closure that is to be called because an object cannot be reached any
// more. Object is its argument, 0 for a cleanup, which takes none.
type Finalizer struct {
	Closure, Object Addr
}

// SetFinalizer lets closure be called with the object at addr when that cannot be
// reached any more; 0 takes the finalizer away. Any thread may call it. base is false, and nothing
// happens, if addr lies in an object but not at its beginning; an address that is in no object is
// never freed. The runtime's addfinalizer and removefinalizer.
func (m *Machine) SetFinalizer(addr, closure Addr) (base bool) {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.heap.baseOf(addr)
	if !ok || at != addr {
		return !ok
	}
	all := slices.DeleteFunc(a.heap.specials[addr], func(sp special) bool { return sp.finalizer })
	if closure != 0 {
		all = append(all, special{closure: closure, finalizer: true})
		m.shadeSpecial(addr, all[len(all)-1])
	}
	a.heap.setSpecials(addr, all)
	return true
}

// AddCleanup lets closure be called when the object that addr lies in cannot be reached
// any more. It returns a number for RemoveCleanup. Any thread may call it.
func (m *Machine) AddCleanup(addr, closure Addr) (id uint64) {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	a.heap.cleanups++
	if at, ok := a.heap.baseOf(addr); ok {
		sp := special{closure: closure, id: a.heap.cleanups}
		a.heap.specials[at] = append(a.heap.specials[at], sp)
		m.shadeSpecial(at, sp)
	}
	return a.heap.cleanups
}

// RemoveCleanup takes back what AddCleanup has done. Any thread may call it.
func (m *Machine) RemoveCleanup(addr Addr, id uint64) {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	if at, ok := a.heap.baseOf(addr); ok {
		all := slices.DeleteFunc(a.heap.specials[at], func(sp special) bool { return sp.id == id })
		a.heap.setSpecials(at, all)
	}
}

func (h *heap) setSpecials(base Addr, all []special) {
	if len(all) > 0 {
		h.specials[base] = all
	} else {
		delete(h.specials, base)
	}
}

// baseOf returns where the object begins that addr lies in. The lock is held; the object
// must not be free.
func (h *heap) baseOf(addr Addr) (Addr, bool) {
	s := h.spanOf(addr)
	if s == nil {
		return 0, false
	}
	return s.object(s.index(addr)), true
}

// GCSpecials shades what finalizers and cleanups hold: the closures, and all that an
// object with a finalizer leads to, but not the object itself. The program may run.
func (m *Machine) GCSpecials() {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, base := range slices.Sorted(maps.Keys(a.heap.specials)) {
		for _, sp := range a.heap.specials[base] {
			m.shadeSpecial(base, sp)
		}
	}
}

// shadeSpecial shades what sp, of the object at base, holds. The lock is held.
func (m *Machine) shadeSpecial(base Addr, sp special) {
	if !m.marking {
		return
	}
	m.GCShade(sp.closure)
	if s := m.arena.heap.spanOf(base); sp.finalizer && !s.noscan {
		m.arena.heap.gc.add(gcWork{base: base})
	}
}

// GCFinalizers returns what is to be called, since nothing is left to mark. An object that
// has a finalizer is kept once more. It is called once in a collection, in the stopped world
// in which GCMark was done, before GCSweep.
func (m *Machine) GCFinalizers() (all []Finalizer) {
	h := &m.arena.heap
	for _, base := range slices.Sorted(maps.Keys(h.specials)) {
		s, i, _ := h.find(base)
		if has(s.marked, i) {
			continue
		}
		var left []special
		for _, sp := range h.specials[base] {
			if sp.finalizer {
				all = append(all, Finalizer{sp.closure, base})
				s.mark(i)
			} else {
				left = append(left, sp)
			}
		}
		if !has(s.marked, i) {
			for _, sp := range left {
				all = append(all, Finalizer{Closure: sp.closure})
			}
			left = nil
		}
		h.setSpecials(base, left)
	}
	return all
}
