package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A place is where a thread stands in the source.
type place struct {
	file  string // path
	line  int
	fn    string
	op    callSite // the operation
	outer callSite // the call of what is left out of stacks: of Typedmemmove, which calls SetWord
	call  string   // identifies the call, made by the thread's own function, that it belongs to
	aside bool     // it belongs to the check, and not to the model: see apart
	stack []string // the functions it is in, innermost first: "put (ring/put.go:12)"
}

// A callSite is a call of a method in the source, and in the code, which tells two calls
// in one line apart.
type callSite struct {
	file   string
	line   int
	method string
	at     address
}

// An address is where a function calls a method, and where that one is. A method
// that is inlined has its own part of the function, and another one a single call.
type address struct{ caller, method uintptr }

// siteOf is the call of method in caller.
func siteOf(caller, method runtime.Frame) callSite {
	return callSite{caller.File, caller.Line, bare(shortFunc(method.Function)), address{caller.PC, method.PC}}
}

// The functions that are left out of stacks: those of the machine and of this
// package, and what gmp has around them, where that is the innermost.
const (
	machinePackage = "gosched/chapters/machine."
	explorePackage = "gosched/chapters/machine/explore."
	gmpPackage     = "gosched/chapters/gmp."

	// See own.
	checkPackage  = "gosched/chapters/check."
	suitePackages = "gosched/chapters/ch"
)

// here returns the place where the current thread is, or was when it panicked.
func here() place {
	list, op, outer := stack()
	if len(list) == 0 {
		return place{}
	}
	p := place{aside: within(list[:1], apart), file: list[0].File, line: list[0].Line, fn: shortFunc(list[0].Function), op: op, outer: outer}
	if within(list, lastLife) {
		p.call = lastLifeCall
	} else if n := own(list); n > 1 {
		p.call = fmt.Sprintf("%s@%d", called(list[:n-1]), list[n-1].Line)
	}
	for _, f := range list {
		if !strings.HasPrefix(f.Function, gmpPackage) {
			p.stack = append(p.stack, fmt.Sprintf("%s (%s)", bare(shortFunc(f.Function)), inCourse(f.File, f.Line)))
		}
	}
	return p
}

// What package check does around the parts. Whether a lock is held is only asked; and what
// lets a G end and become another is one row, however many steps it takes.
const (
	apart    = checkPackage + "Held"
	lastLife = checkPackage + "(*Crew).useUp"

	lastLifeCall = "the last life"
	lastLifeText = "the G ends, and becomes another"
)

// within reports whether one of these functions is the one of that name.
func within(list []runtime.Frame, name string) bool {
	return slices.ContainsFunc(list, func(f runtime.Frame) bool { return f.Function == name || strings.HasPrefix(f.Function, name+"[") })
}

// own returns how many of these functions there are down to the thread's own one, which
// is the last of them. Where that is of package check, it is a loop around steps: then
// it is the step, which a suite has written, or what else the loop calls.
func own(list []runtime.Frame) (n int) {
	in := func(i int, prefix string) bool { return i >= 0 && strings.HasPrefix(list[i].Function, prefix) }
	n = len(list)
	i := n - 1
	for in(i, checkPackage) {
		i--
	}
	if i == n-1 || !in(i, suitePackages) {
		return min(n, i+3)
	}
	for in(i-1, suitePackages) {
		i--
	}
	return i + 1
}

// stack returns the functions that the thread is in, innermost first, and the
// operation that it is at, as the machine has it and as the first function calls
// it.
func stack() (list []runtime.Frame, op, outer callSite) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var inner runtime.Frame // that was left out last
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case strings.HasPrefix(f.Function, explorePackage):
			if strings.HasSuffix(f.Function, ".(*explorer).run") {
				more = false
			}
		case strings.HasPrefix(f.Function, machinePackage):
			if len(list) == 0 {
				inner = f
			}
		case strings.HasPrefix(f.Function, "runtime."), strings.HasPrefix(f.Function, "iter."):
		case strings.HasPrefix(f.Function, gmpPackage) && len(list) == 0:
			if op.method == "" {
				op = siteOf(f, inner)
			}
			inner = f
		default:
			if len(list) == 0 {
				outer = siteOf(f, inner)
			}
			list = append(list, f)
		}
	}
	if len(list) == 0 && strings.HasPrefix(inner.Function, gmpPackage) {
		list = append(list, inner)
	}
	// A Lock that calls a Lock is one, but what else it does has its own name.
	if op.method == "" || op.method == outer.method {
		op = outer
	}
	return list, op, outer
}

// shortFunc drops package and closures from the name of a function.
func shortFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	if i := strings.Index(name, ".func"); i >= 0 {
		name = name[:i]
	}
	return strings.ReplaceAll(strings.TrimSuffix(name, "-fm"), "[...]", "")
}

// bare is the name of a method without its type: "put" of "(*queue).put".
func bare(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// called names the outermost of these functions, innermost first. A closure has only the name
// of the function that it stands in: then it is what the closure calls, if it calls anything.
func called(list []runtime.Frame) string {
	for i := len(list) - 1; i >= 0; i-- {
		if !strings.Contains(list[i].Function, ".func") {
			return shortFunc(list[i].Function)
		}
	}
	return shortFunc(list[len(list)-1].Function)
}

// The folders of the course, whose chapters have files of the same names.
var folders = []string{"/chapters/", "/exercises/", "/solutions/"}

// inCourse writes a line with the path of its file in the course, since files of one name
// are in many folders: "exercises/ch03_park/chan.go:12".
func inCourse(file string, line int) string {
	from := -1
	for _, folder := range folders {
		from = max(from, strings.LastIndex(file, folder))
	}
	return fmt.Sprintf("%s:%d", file[from+1:], line)
}

// inRow writes a file for the lanes, where there is little room: those that the student
// writes by their names alone, others with whose they are: "suite/models.go",
// "ref/globalqueue.go" of the solutions, "gmp/router.go".
func inRow(file string) string {
	name := filepath.Base(file)
	switch in := inCourse(file, 0); {
	case strings.HasPrefix(in, "solutions/"):
		return "ref/" + name
	case strings.HasPrefix(in, "chapters/ch"):
		return suiteFolder + name
	case strings.HasPrefix(in, "chapters/gmp/"):
		return "gmp/" + name
	}
	return name
}

// suiteFolder stands before the files of a suite in the lanes.
const suiteFolder = "suite/"
