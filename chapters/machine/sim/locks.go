package sim

import (
	"fmt"

	"gosched/chapters/machine"
)

// A mutex is the state of a machine.Mutex: the same lock, on simulated atomics and
// a simulated futex. A thread that finds it locked looks again a few times, then
// sleeps. Whoever comes when it is free takes it, even before a thread that was
// woken for it: barging.
type mutex struct {
	id       machine.ID
	state    lockState
	holder   *thread
	sleepers []*thread
	stat     *lockStat
}

type lockState uint8

const (
	unlocked lockState = iota
	locked
	contended // locked, and someone may sleep
)

// lockStat sums over the mutexes of one name.
type lockStat struct {
	name                string
	acquired, contended int64
	waited              Time
}

func (s *simulation) mutex(id machine.ID, name string) *mutex {
	at := s.mutexes.at(id)
	if *at == nil {
		*at = &mutex{id: id, stat: s.stat(name)}
	}
	return *at
}

// stat returns the counts of the mutexes of one name.
func (s *simulation) stat(name string) *lockStat {
	stat := s.named[name]
	if stat == nil {
		stat = &lockStat{name: name}
		s.named[name] = stat
		s.locks = append(s.locks, stat)
	}
	return stat
}

// take tries to lock mu, which leaves it in state to; it takes the time of a
// CompareAndSwap.
func (s *simulation) take(mu *mutex) bool {
	s.inOrder(mu.id, machine.AccessCompareAndSwap)
	if mu.state != unlocked {
		return false
	}
	s.hold(mu, locked)
	return true
}

func (s *simulation) hold(mu *mutex, state lockState) {
	mu.state, mu.holder = state, s.cur
	mu.stat.acquired++
}

// Lock returns when the current thread holds the mutex.
func (s *simulation) Lock(id machine.ID, name string) {
	mu := s.mutex(id, name)
	if s.take(mu) {
		return
	}
	mu.stat.contended++
	began := s.now
	s.lockSlow(mu)
	mu.stat.waited += s.now - began
}

func (s *simulation) lockSlow(mu *mutex) {
	// The first look is a load, which leaves the line with the holder.
	free := func() bool {
		s.inOrder(mu.id, machine.AccessLoad)
		return mu.state == unlocked
	}
	if len(s.cpus) > 1 {
		for range machine.ActiveSpins {
			s.Procyield(machine.SpinCycles)
			if free() && s.take(mu) {
				return
			}
		}
	}
	for range machine.PassiveSpins {
		s.Osyield()
		if free() && s.take(mu) {
			return
		}
	}
	for {
		s.inOrder(mu.id, machine.AccessSwap)
		if mu.state == unlocked {
			s.hold(mu, contended) // there may be others
			return
		}
		mu.state = contended
		mu.sleepers = append(mu.sleepers, s.cur)
		s.sleep(mu, -1)
	}
}

// TryLock reports whether the current thread holds the mutex now.
func (s *simulation) TryLock(id machine.ID, name string) bool { return s.take(s.mutex(id, name)) }

// Unlock reports whether the mutex was locked.
func (s *simulation) Unlock(id machine.ID) bool {
	mu := s.mutex(id, "")
	s.inOrder(id, machine.AccessSwap)
	was := mu.state
	mu.state, mu.holder = unlocked, nil
	if was == contended && len(mu.sleepers) > 0 {
		th := mu.sleepers[0]
		mu.sleepers = mu.sleepers[:copy(mu.sleepers, mu.sleepers[1:])]
		s.rouse(th)
	}
	return was != unlocked
}

func (mu *mutex) describe() string {
	text := "for the lock"
	if mu.stat.name != "" {
		text += " " + mu.stat.name
	}
	if mu.holder == nil {
		return text + ", which is free"
	}
	return fmt.Sprintf("%s, which %s holds", text, mu.holder.name)
}

func (mu *mutex) timeout(*thread) {} // has none
