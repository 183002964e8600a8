package timeline

import (
	"encoding/json"
	"strings"
)

// Words are what a timeline shows around the sentences of its steps, which are always in
// English. A % stands for what the comment says.
type Words struct {
	// Above a timeline and where there is no script.
	Timeline   string `json:"-"` // names it to a screen reader; %: its title
	Comparison string `json:"-"` // names it to a screen reader; %: its title
	NoEvents   string `json:"-"`
	Version    string `json:"version"` // %: a version of Go
	OneP       string `json:"-"`
	Ps         string `json:"-"` // %: how many
	OneM       string `json:"-"`
	Ms         string `json:"-"` // %: how many
	Seed       string `json:"-"` // %: a number
	OneStep    string `json:"-"`
	Steps      string `json:"-"` // %: how many
	FirstSteps string `json:"-"` // %: how many are kept; %: how many there are

	// The lists of Gs that wait.
	InSyscall string `json:"-"` // of an M without a P
	ForItsM   string `json:"-"`
	Parked    string `json:"-"` // %: for what

	// Headings.
	Program     string `json:"program"`
	Output      string `json:"output"`
	OutputSoFar string `json:"outputSoFar"` // names the output, as far as it is there, to a screen reader
	Now         string `json:"now"`
	SoFar       string `json:"soFar"`
	SoFarTrue   string `json:"soFarTrue"` // in a comparison
	TrueTime    string `json:"trueTime"`  // a checkbox
	AllSteps    string `json:"allSteps"`
	Picture     string `json:"picture"` // names the picture to a screen reader; %: P or M

	// Choices and buttons.
	Compare        string `json:"compare"` // before the version on the left
	With           string `json:"with"`    // before the version on the right
	Controls       string `json:"controls"`
	First          string `json:"first"`
	Back           string `json:"back"`
	Next           string `json:"next"`
	Step           string `json:"step"`
	Last           string `json:"last"`
	NextOf         string `json:"nextOf"` // %: a G
	Follow         string `json:"follow"` // %: a G
	FollowAll      string `json:"followAll"`
	Find           string `json:"find"`     // before the buttons that follow, each of which leads to the next step with such an event
	FindNext       string `json:"findNext"` // names such a button to a screen reader; %: what is on it
	FindSteal      string `json:"findSteal"`
	FindPark       string `json:"findPark"`
	FindRequest    string `json:"findRequest"` // to stop
	FindSignal     string `json:"findSignal"`
	FindPreemption string `json:"findPreemption"`
	FindCall       string `json:"findCall"` // of the system
	FindHandoff    string `json:"findHandoff"`
	FindRetake     string `json:"findRetake"`
	FindGrowth     string `json:"findGrowth"` // of a stack

	// The step that is shown.
	Position      string `json:"position"`      // %: a step; %: how many there are
	PositionShown string `json:"positionShown"` // the same if later steps were left out
	Time          string `json:"time"`          // %: a time
	NotBegun      string `json:"notBegun"`
	EndsAt        string `json:"endsAt"` // behind a version; %: a time

	// The state after it.
	Runs        string `json:"runs"` // heads the Gs that run
	RunQueue    string `json:"runQueue"`
	GlobalQueue string `json:"globalQueue"`
	None        string `json:"none"`     // of Gs or Ms
	NotThere    string `json:"notThere"` // of a P
	NotMade     string `json:"notMade"`  // of an M
	Idle        string `json:"idle"`     // of a P
	Asleep      string `json:"asleep"`   // of an M
	Polls       string `json:"polls"`    // of an M that waits in the netpoller
	Schedules   string `json:"schedules"`
	Looks       string `json:"looks"`
	Stopped     string `json:"stopped"`
	Steals      string `json:"steals"`    // %: how many Gs; %: of how many
	IsInSyscall string `json:"inSyscall"` // %: a G
	MsAsleep    string `json:"msAsleep"`
	MsPolling   string `json:"msPolling"`
	AndMore     string `json:"andMore"` // behind a list; %: how many more
	Gs          string `json:"gs"`
	Counts      string `json:"counts"`     // %: how many Gs were created; %: how many have ended
	RunsHere    string `json:"runsHere"`   // %: a G, at a line
	GoesOnHere  string `json:"goesOnHere"` // %: a G, at a line

	// The legend.
	Parks             string `json:"parks"`
	Ends              string `json:"ends"`
	Asked             string `json:"asked"`     // to stop
	Preempted         string `json:"preempted"` // in a version with signals: at a call
	PreemptedBySignal string `json:"preemptedBySignal"`
	Hit               string `json:"hit"`   // by a signal that does not preempt
	Calls             string `json:"calls"` // a G in a system call
	HandsOff          string `json:"handsOff"`
	Retakes           string `json:"retakes"`
	Away              string `json:"away"` // what the row of an M stands for, where the others are Ps
	BackWithoutP      string `json:"backWithoutP"`
	Grows             string `json:"grows"`
	Steal             string `json:"steal"`
	Faded             string `json:"faded"`
	Click             string `json:"click"`
}

// English are the words in English, which Options and CompareOptions without Words mean.
var English = Words{
	Timeline:   "Timeline: %",
	Comparison: "Comparison: %",
	NoEvents:   "The log of this run has no events.",
	Version:    "Go %",
	OneP:       "1 P",
	Ps:         "% Ps",
	OneM:       "1 M",
	Ms:         "% Ms",
	Seed:       "seed %",
	OneStep:    "1 step",
	Steps:      "% steps",
	FirstSteps: "the first % of % steps",

	InSyscall: "in a call, without a P",
	ForItsM:   "waiting for their M",
	Parked:    "parked: %",

	Program:     "Program",
	Output:      "Output",
	OutputSoFar: "Output so far",
	Now:         "Now",
	SoFar:       "So far",
	SoFarTrue:   "So far, in true time",
	TrueTime:    "true time",
	AllSteps:    "All steps in words",
	Picture:     "The run so far: what each % ran, step by step",

	Compare:        "Compare",
	With:           "with",
	Controls:       "Controls",
	First:          "First step",
	Back:           "One step back",
	Next:           "Next step",
	Step:           "Step",
	Last:           "Last step",
	NextOf:         "Next of %",
	Follow:         "Follow %",
	FollowAll:      "Follow all",
	Find:           "Next",
	FindNext:       "Next %",
	FindSteal:      "steal",
	FindPark:       "park",
	FindRequest:    "request",
	FindSignal:     "signal",
	FindPreemption: "preemption",
	FindCall:       "call",
	FindHandoff:    "hand-off",
	FindRetake:     "retake",
	FindGrowth:     "growth",

	Position:      "Step % of %",
	PositionShown: "Step % of the % shown",
	Time:          "t = %",
	NotBegun:      "The run has not started yet.",
	EndsAt:        "ends at %",

	Runs:        "runs",
	RunQueue:    "run queue, head first",
	GlobalQueue: "global queue",
	None:        "none",
	NotThere:    "not in use",
	NotMade:     "not created yet",
	Idle:        "idle",
	Asleep:      "asleep",
	Polls:       "in the netpoller",
	Schedules:   "schedules",
	Looks:       "looks for work",
	Stopped:     "stopped",
	Steals:      "steals % of %",
	IsInSyscall: "% is in a system call",
	MsAsleep:    "Ms asleep",
	MsPolling:   "Ms in the netpoller",
	AndMore:     "and % more",
	Gs:          "Gs",
	Counts:      "% created · % ended",
	RunsHere:    "% runs here",
	GoesOnHere:  "% will continue here",

	Parks:             "parks",
	Ends:              "ends",
	Asked:             "asked to stop",
	Preempted:         "preempted",
	PreemptedBySignal: "preempted by a signal",
	Hit:               "hit by a signal, goes on",
	Calls:             "in a system call",
	HandsOff:          "hands off its P",
	Retakes:           "the monitor retakes the P",
	Away:              "in the kernel, without a P",
	BackWithoutP:      "back without a P",
	Grows:             "the stack grows",
	Steal:             "steal, with the number of Gs",
	Faded:             "faded: still to come",
	Click:             "click a G to follow it",
}

// orEnglish are the words w, or English if there are none.
func orEnglish(w Words) Words {
	if w == (Words{}) {
		return English
	}
	return w
}

// fill puts values where a text has %.
func fill(text string, values ...string) string {
	for i, part := range strings.Split(text, "%") {
		if i == 0 {
			text = part
			continue
		}
		text += values[i-1] + part
	}
	return text
}

// number is the word for n of something.
func number(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fill(many, thousands(int64(n)))
}

// script returns the words as the script reads them.
func (w Words) script() string {
	data, err := json.Marshal(w)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return "window.goschedWords = " + string(data) + ";\n"
}
