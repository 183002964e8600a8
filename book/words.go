package book

import (
	"strings"

	"gosched/chapters/machine/explore"
	"gosched/timeline"
)

// words are the texts of the book that stand on no page: everything that the
// engine itself shows to a reader. A %s stands for what the comment says.
type words struct {
	Site, Tagline     string
	Quotes            [4]string // for "", then for ''; the last is the apostrophe too
	Skip              string    // link to the content, seen when it has the focus
	Menu              string    // opens the list of pages on a phone
	Pages             string    // names that list to a screen reader
	Chapters          string
	NotYet            string // of chapters that have no page
	Previous, Next    string
	SearchBox         string
	SearchResults     string // names the list of what was found to a screen reader
	SearchHits        string // %d: how many were found
	SearchFirst       string // %d: how many were found, %d: how many of them are shown
	SearchNone        string
	SearchFailed      string
	SectionLink       string // %s: the section's title
	Scrolls           string // %s: what a table or code that scrolls begins with, for a screen reader
	ThemeSystem       string // of the button that changes the colours: which it shows now
	ThemeLight        string
	ThemeDark         string
	Copy              string // %s: what a button copies
	Copied            string // is said when it has
	PageSource        string // leads to the Markdown of a page
	Read              string // is said of a page in the list of pages that has been read
	Title             string // of a chapter's page. %d: number, %s: title
	Question, Predict string
	Answer            string
	Solution          string // opens code that an exercise asks for
	Lines             string // opens long code on a phone. %d: number of lines, %s: file
	Note              string
	History           string // %s: a version of Go
	Wrong, True       string
	Exercise          string
	ExerciseFile      string // before the name of a folder
	ExerciseParts     string // before the names of interfaces
	ExerciseMethods   string // before the names of methods
	ExerciseRun       string // before a command
	Checks            string
	CheckName, Points string
	CheckProperty     string
	CheckKinds        map[string]string // by check.Kind
	OutputStatus      string            // %d: exit status
	OutputMore        string            // %d: number of lines left out
	MeasuredAt        string            // of a table that was measured earlier. %s: date, commit, version of Go, system, processor
	Measured          string            // %s: system, processor and version of Go
	Numbers           string            // opens the output that a plot is drawn of
	Logarithmic       string            // of an axis
	Disasm            string            // %s: function
	Mutant            string            // %s: a mistake, as a sentence without its end; %s: the check that sees it
	Stepper           explore.Words     // of a counterexample
	Timeline          timeline.Words    // of a timeline and a comparison
	Makespan          string            // heads the time from a program's first event to its end
	MakespanBeside    string            // %s: the version of Go with which the others are compared
	LockWait          string            // %s: a lock; heads the time for which threads waited for it
	Threads           string            // heads the number of Ms
	IdleBeside        string            // heads the time of CPUs that are idle while a G waits
	Beside            string            // before the pages that stand behind the chapters
	Chapter           string            // %d: number, inside a sentence
	ChapterGo         string
	ChapterTitle      string
	Mechanism         string // heads the names of what the scheduler does
	MechanismSeen     string // heads the names of checks and programs
	MapSources        string // titles the sources of work
	MapParts          string // titles all parts
	MapList           string // opens the map as a list
	MapMove           string // %s: a state, %s: another one, %s: the methods that move something from one to the other
	MechanismComing   string // %d: the chapter in which something is explained that has no section yet
	GorootChecked     string // %s: the fact, %s: a version of Go
	GorootOther       string // %s: the fact, %s: the book's release of Go, %s: what is wrong
	GorootSkipped     string // %s: the fact, %s: the book's release of Go
	FactsChecked      string // %d: number of facts on a page, %s: a version of Go
	FactsSkipped      string // %s: the book's release of Go
	FactDeclared      string // %s: a declaration
	FactEqual         string // %s: a declaration, %s: its value or type
	FactContains      string // %s: a declaration, %s: code
	FactLacks         string // %s: a declaration, %s: code
	Building          string // %s: the title of a page that takes time to build
	Standing          string // %d: how many checks pass, %d: of how many
	BuildingFigure    string // %d: the number of a figure, %d: of how many, %s: what it is
}

// apostrophes sets the apostrophes of a text that stands in an argument, where
// Markdown does not.
func (w words) apostrophes(s string) string { return strings.ReplaceAll(s, "'", w.Quotes[3]) }

// languages holds the words by the name of the folder with the sources, which
// is also the value of the HTML attribute lang.
var languages = map[string]words{
	"en": {
		Site:            "gosched",
		Tagline:         "Write the Go scheduler",
		Quotes:          [4]string{"“", "”", "‘", "’"},
		Skip:            "Skip to the text",
		Menu:            "Contents",
		Pages:           "Pages of the book",
		Chapters:        "Chapters",
		NotYet:          "Not written yet",
		Previous:        "Previous",
		Next:            "Next",
		SearchBox:       "Search",
		SearchResults:   "Found",
		SearchHits:      "Found: %d",
		SearchFirst:     "Found: %d. The first %d are shown.",
		SearchNone:      "Nothing found.",
		SearchFailed:    "The search index (search.js) could not be loaded.",
		SectionLink:     "Link to the section “%s”",
		Scrolls:         "%s (scrolls sideways)",
		ThemeSystem:     "Colours: as the system",
		ThemeLight:      "Colours: light",
		ThemeDark:       "Colours: dark",
		Copy:            "Copy: %s",
		Copied:          "Copied",
		PageSource:      "The source of this page",
		Read:            "read",
		Title:           "%d · %s",
		Question:        "Question",
		Predict:         "Predict",
		Answer:          "Answer",
		Solution:        "How it can be written. Write yours first",
		Lines:           "%d lines of %s",
		Note:            "Note",
		History:         "Go %s",
		Wrong:           "The common notes say",
		True:            "What is true",
		Exercise:        "Exercise",
		ExerciseFile:    "Folder",
		ExerciseParts:   "Parts",
		ExerciseMethods: "You write",
		ExerciseRun:     "Test it",
		Checks:          "The checks",
		CheckName:       "Check",
		Points:          "Points",
		CheckProperty:   "What must hold",
		CheckKinds: map[string]string{
			"unit":    "calls methods and looks at the state",
			"model":   "tries all interleavings of a small model",
			"program": "runs Go programs on the machine",
			"stress":  "runs on real threads, repeatedly",
			"bench":   "measures; never graded",
			"mine":    "runs the test that you write, on wrong solutions",
		},
		OutputStatus:    "exit status %d",
		OutputMore:      "… and %d more lines",
		MeasuredAt:      "Measured on %s at commit %s, with %s on %s, %s.",
		Measured:        "Measured while this page was built (%s). Your numbers will differ.",
		Numbers:         "The numbers",
		Logarithmic:     "logarithmic",
		Disasm:          "The machine’s instructions of",
		Mutant:          "A wrong solution: %s. The check %s fails:",
		Stepper:         explore.English,
		Timeline:        timeline.English,
		Makespan:        "Makespan",
		MakespanBeside:  "Makespan, in multiples of that on Go %s",
		LockWait:        "Waited for %s",
		Threads:         "Ms",
		IdleBeside:      "Idle beside a runnable G",
		Beside:          "Across the chapters",
		Chapter:         "chapter %d",
		ChapterGo:       "Go",
		ChapterTitle:    "You write",
		Mechanism:       "Mechanism, and where it is explained",
		MechanismSeen:   "What shows it",
		MapSources:      "Where an M looks for work",
		MapParts:        "All parts, and their chapters",
		MapList:         "The map as a list, with the methods",
		MapMove:         "%s to %s: %s",
		MechanismComing: "the rest comes with chapter %d",
		GorootChecked:   "%s: checked against the source of %s",
		GorootOther:     "%s: true for go%s, but not for the installed Go: %s",
		GorootSkipped:   "%s: true for go%s, not checked by this build",
		FactsChecked:    "Facts on this page marked ✓ were checked against the source of %s when it was built.",
		Building:        "“%s” is being built. It will appear here.",
		Standing:        "%d of %d checks pass",
		BuildingFigure:  "Figure %d of %d: %s",
		FactDeclared:    "%s is there",
		FactEqual:       "%s is %s",
		FactContains:    "%s contains %s",
		FactLacks:       "%s does not contain %s",
		FactsSkipped:    "The facts on this page marked ○ hold for Go %s. This build could not check them: the source of Go was not there.",
	},
}
