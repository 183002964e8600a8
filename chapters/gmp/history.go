package gmp

import (
	"fmt"
	"slices"
	"strings"
)

// A form is a chapter whose solution provides a part, "ch07", or one of several
// forms of it, "ch07/1.1".

// Releases are the versions of Go that the course builds, oldest first.
var Releases = []string{"0.x", "1.0", "1.1", "1.2", "1.5", "1.14", "1.26"}

// history says, for each part, which form each of the Releases has here. An empty one
// means that this version has no such part in the form of the course, not that this Go
// could not do it: 1.0 had LockOSThread, a way to stop the world and
// timers, in forms that nobody builds here. "none" is a given part that answers "no
// work", as for the GC workers that there are since 1.5. Where an older form is not the
// subject of a chapter, a version has the later one; the book's page on the versions says
// which.
var history = []struct {
	part  string
	forms [7]string // in the order of Releases
}{
	//                 0.x          1.0     1.1         1.2         1.5     1.14        1.26
	{"Goroutines", [7]string{"ch01", "ch01", "ch01", "ch01", "ch01", "ch01", "ch01"}},
	{"Statuses", [7]string{"ch01", "ch01", "ch01", "ch01", "ch01", "ch01", "ch01"}},
	{"Freelists", [7]string{"ch01", "ch01", "ch06", "ch06", "ch06", "ch06", "ch06"}},
	{"Boot", [7]string{"ch02", "ch02", "ch06", "ch06", "ch06", "ch06", "ch06"}},
	{"Loop", [7]string{"ch02", "ch05", "ch11", "ch11", "ch11", "ch11", "ch18"}},
	{"Submission", [7]string{"ch02", "ch05", "ch08", "ch08", "ch08", "ch08", "ch08"}},
	{"GlobalQueue", [7]string{"ch02", "ch02", "ch02", "ch02", "ch02", "ch02", "ch02"}},
	{"Deadlock", [7]string{"ch02", "ch05", "ch05", "ch05", "ch05", "ch05", "ch18"}},
	{"Parking", [7]string{"ch03", "ch03", "ch03", "ch03", "ch03", "ch03", "ch03"}},
	{"Sudogs", [7]string{"ch03", "ch03", "ch06", "ch06", "ch06", "ch06", "ch06"}},
	{"Waitqs", [7]string{"ch04", "ch04", "ch04", "ch04", "ch04", "ch04", "ch04"}},
	{"Channels", [7]string{"ch03", "ch03", "ch03", "ch03", "ch03", "ch03", "ch03"}},
	{"Select", [7]string{"ch04", "ch04", "ch04", "ch04", "ch04", "ch04", "ch04"}},
	{"Semaphores", [7]string{"ch04/list", "ch04/list", "ch04/list", "ch04/list", "ch04/list", "ch04", "ch04"}},
	{"NotifyLists", [7]string{"ch04", "ch04", "ch04", "ch04", "ch04", "ch04", "ch04"}}, // since 1.7; before, a semaphore of sync.Cond's own
	{"Threads", [7]string{"", "ch05", "ch05", "ch05", "ch05", "ch05", "ch05"}},
	{"Matching", [7]string{"", "ch05", "", "", "", "", ""}},
	{"Procs", [7]string{"", "", "ch06", "ch06", "ch06", "ch06", "ch06"}},
	{"RunQueue", [7]string{"", "", "ch07/1.1", "ch07/1.1", "ch07", "ch07", "ch07"}}, // runnext since 1.5
	{"Sources", [7]string{"", "", "ch08", "ch08", "ch08", "ch08", "ch08"}},
	{"Finder", [7]string{"", "", "ch10", "ch10", "ch10", "ch10", "ch18"}},
	{"Stealing", [7]string{"", "", "ch09", "ch09", "ch09", "ch09", "ch18"}},
	{"Wakeups", [7]string{"", "", "ch10", "ch10", "ch10", "ch10", "ch10"}},
	{"Syscalls", [7]string{"", "ch11/1.0", "ch11", "ch11", "ch11", "ch11", "ch18"}},
	{"LockedThreads", [7]string{"", "", "ch11", "ch11", "ch11", "ch11", "ch11"}},
	{"Monitor", [7]string{"", "", "ch12", "ch12", "ch12", "ch12", "ch12"}},
	{"Stacks", [7]string{"ch13/given", "ch13/given", "ch13/given", "ch13", "ch13", "ch13", "ch13"}}, // preempts since 1.2
	{"ScanBits", [7]string{"", "", "", "", "", "ch14", "ch14"}},
	{"Signals", [7]string{"", "", "", "", "", "ch14", "ch14"}},
	{"Timers", [7]string{"ch15/given", "ch15/given", "ch15/given", "ch15/given", "ch15/given", "ch15", "ch15"}},
	{"TimerHeap", [7]string{"", "", "", "", "", "ch15", "ch15"}},
	{"TimerChans", [7]string{"", "", "", "", "", "ch15", "ch15"}}, // lazy since 1.23
	{"NetPoller", [7]string{"ch16/given", "ch16/given", "ch16", "ch16", "ch16", "ch16", "ch16"}},
	{"World", [7]string{"", "", "ch17", "ch17", "ch17", "ch17", "ch17"}},  // in 1.1 its monitor asks nobody
	{"GCWork", [7]string{"", "", "none", "none", "none", "ch17", "ch17"}}, // since 1.5
	{"Masks", [7]string{"", "", "", "", "", "", "ch18"}},                  // since 1.16
}

// standIns serve in place of a form as long as its chapter is not written: a version
// can be played, and lacks what the form alone can do.
var standIns = map[string]string{
	"ch11": "ch08",       // its loop knows no locked Gs; there are no system calls
	"ch12": "ch12/given", // takes Ps from system calls; nothing preempts a G
	"ch13": "ch13/given", // grows stacks; nothing preempts a G
	"ch15": "ch15/given", // one list of timers for all Ps
	"ch16": "ch16/given", // one lock for each descriptor
}

// OwnForm returns the chapter whose own parts can stand for a form in a student's
// scheduler. That is the chapter itself, and also for an older form that does the
// same in a slower way. All other forms are returned as they are: what they do is
// something else.
func OwnForm(form string) string {
	if form == "ch04/list" {
		return "ch04"
	}
	return form
}

// formOf returns the form of a part in one of the Releases, "" if it has none.
func formOf(release, part string) string {
	at := slices.Index(Releases, release)
	for _, row := range history {
		if at >= 0 && row.part == part {
			return row.forms[at]
		}
	}
	return ""
}

// Assemble makes the version of one of the Releases from the parts that provide
// returns for a form. Where provide does not have a form yet, another one stands in
// for it, or the part is absent; Missing lists these. All of the forms named in need
// must be there: otherwise it is an error that says which is missing.
func Assemble(release string, provide func(form string) (Version, bool), need ...string) (Version, error) {
	at := slices.Index(Releases, release)
	if at < 0 {
		return Version{}, fmt.Errorf("there is no Go %s in this course; it has %v", release, Releases)
	}
	for _, form := range need {
		if _, ok := provide(form); !ok {
			return Version{}, fmt.Errorf("Go %s cannot be played yet: %s is not written", release, form)
		}
	}
	v := Version{Name: release}
	for _, row := range history {
		form := row.forms[at]
		if form == "" {
			continue
		}
		parts, ok := provide(form)
		if !ok { // what the stand-in lacks has no work to offer
			if none, ok := provide("none"); ok {
				v = v.With(none.Only(row.part))
			}
			parts, ok = provide(standIns[form])
		}
		if ok {
			v = v.With(parts.Only(row.part))
		}
	}
	if watch := v.Monitor; watch != nil && at < slices.Index(Releases, "1.2") {
		v.Monitor = func(s *Sched) Monitor { return asksNobody{watch(s)} }
	}
	if at >= slices.Index(Releases, "1.14") && v.Finder != nil && v.Procs != nil {
		v.Procs = putsSafePoints(v.Procs)
		if v.Masks == nil { // the Finder and the Syscalls of 1.26 look themselves
			v.Finder = findsSafePoints(v.Finder)
			if v.GCWork != nil && v.Syscalls != nil && v.World != nil {
				v.Syscalls = handsOffToMark(v.Syscalls)
				if v.Stealing != nil {
					v = withGCWorkers(v)
				}
			}
		}
	}
	if v.Masks != nil && v.Procs != nil {
		v.Procs = masked(v.Procs)
	}
	v.Name = release
	return v, nil
}

// Missing returns the chapters whose parts one of the Releases has in history and
// Assemble, with the same provide, leaves out or replaces: "ch11".
func Missing(release string, provide func(form string) (Version, bool)) []string {
	at := slices.Index(Releases, release)
	var chapters []string
	for _, row := range history {
		if at < 0 || row.forms[at] == "" {
			continue
		}
		if _, ok := provide(row.forms[at]); !ok {
			chapter, _, _ := strings.Cut(row.forms[at], "/")
			chapters = append(chapters, chapter)
		}
	}
	slices.Sort(chapters)
	return slices.Compact(chapters)
}

// since reports whether s is of Go 1.minor or later.
func (s *Sched) since(minor int) bool {
	var major, its int
	fmt.Sscanf(s.Version().Name, "%d.%d", &major, &its)
	return major > 0 && its >= minor
}

// hasRunnext reports whether s is of a Go whose Ps have a Runnext.
func (s *Sched) hasRunnext() bool { return s.since(5) }
