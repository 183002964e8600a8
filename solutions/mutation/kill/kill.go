// Package kill is the program with all mutations: it runs the checks of a chapter on one
// of them, and says which one fails. See package mutation.
package kill

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"gosched/chapters/check"
	"gosched/chapters/cputime"
	"gosched/chapters/gmp"
)

// A Subject is a chapter in the program.
type Subject struct {
	Suite     *check.Suite
	Base      gmp.Version // the right parts, whose functions are the ones that change
	Active    *int        // the number of the mutation to execute, 0 for none
	Reached   *[]bool     // notes the functions that are called
	Functions int         // how many there are
}

// A Job is what the program is asked for, in its argument.
type Job struct {
	Chapter  string
	Mutation int    // 0: the right solution; the answer is one Cost for each check
	Checks   []Cost // those to run, in this order
}

// A Cost is what a check takes on the right solution.
type Cost struct {
	Check   string
	CPU     time.Duration // of the process
	Wall    time.Duration
	Reached []int  // the functions that it calls
	Fails   string // what it says if it does not even pass there
}

// A Line is one of the lines that the program prints: the check that it begins, what one
// took on the right solution, or, at the end, what became of a mutation.
type Line struct {
	Begin  string  `json:",omitempty"`
	Cost   *Cost   `json:",omitempty"`
	Result *Result `json:",omitempty"`
}

// A Result is what became of a mutation.
type Result struct {
	Check   string // the first that fails, "" if none does
	Message string // what it says
}

// Kinds are the kinds of checks that are run. What checks with real threads find is not
// determined, so a mutation that only they see counts as alive.
var Kinds = []check.Kind{check.Unit, check.Model, check.Program}

// maxStack lets a function that calls itself for ever end soon.
const maxStack = 64 << 20

// Main runs a Job.
func Main(subjects map[string]Subject) {
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(400)
	var job Job
	if len(os.Args) != 2 || json.Unmarshal([]byte(os.Args[1]), &job) != nil {
		fmt.Fprintln(os.Stderr, "this program is run by: go run ./autograder mutate")
		os.Exit(2)
	}
	subject := subjects[job.Chapter]
	if job.Mutation == 0 {
		subject.measure()
		return
	}
	*subject.Active = job.Mutation
	print(Line{Result: subject.run(job.Checks)})
	os.Exit(0) // whatever still runs
}

func print(l Line) {
	text, err := json.Marshal(l)
	if err != nil {
		panic(err) // texts and numbers
	}
	os.Stdout.Write(append(text, '\n'))
}

// measure runs each check on the right solution.
func (s Subject) measure() {
	for i := range s.Suite.Checks {
		c := &s.Suite.Checks[i]
		if !slices.Contains(Kinds, c.Kind) {
			continue
		}
		*s.Reached = make([]bool, s.Functions)
		cost := Cost{Check: c.Name}
		cpu, wall := cputime.Own(), time.Now()
		if out := s.Suite.Run(c, s.Base); out.Status != check.Pass {
			cost.Fails = out.Message
		}
		cost.CPU, cost.Wall = cputime.Own()-cpu, time.Since(wall)
		for id, yes := range *s.Reached {
			if yes {
				cost.Reached = append(cost.Reached, id)
			}
		}
		print(Line{Cost: &cost})
	}
}

// run runs checks until one fails.
func (s Subject) run(checks []Cost) *Result {
	for _, cost := range checks {
		c := s.Suite.Check(cost.Check)
		print(Line{Begin: c.Name})
		stop := watch(cost)
		out := s.Suite.Run(c, s.Base)
		stop()
		if out.Status != check.Pass {
			return &Result{c.Name, out.Message}
		}
	}
	return &Result{}
}
