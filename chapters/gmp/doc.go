// Package gmp is the data model of the scheduler and the contracts of its
// parts: the counterpart of the runtime's runtime2.go, with one interface per
// mechanism.
//
// A G is a goroutine, an M a thread of the machine, a P the right to run Go
// code. Sched is the scheduler: everything that is shared, and the parts. A
// part implements one of the interfaces in contracts.go. It is a small struct
// with a field s *Sched; through s it reaches all state and all other parts,
// and no part imports another. A part calls even its own methods through s, so
// that a version that replaces a single method is really used.
//
// A Version is a list of constructors, one per part; it is what a version of
// Go's scheduler is here. New builds a Sched from it; Sched.Main runs a program.
//
// What several Ms may touch is atomic, or a machine.Cell: plain data, read with Get
// and written with Set, that something else protects, a lock or the order of atomic
// operations. A Cell is not atomic; but checks that play two Ms against each other see
// each use of it, and report two uses that nothing keeps apart.
//
// The machine has no thread-local storage, so the runtime's getg() is an
// argument here: mp is the M that executes the call, gp the G it is about.
package gmp
