package explore

import (
	"cmp"
	"fmt"
	"strings"
)

// A Story is what a page tells of a failure. It is plain data: it can be kept as JSON.
type Story struct {
	Title   string // what failed, in a few words
	Kind    Kind
	Message []string // what is wrong, in sentences
	Summary string
	Replay  string // "" if there is no schedule, nor anything that follows here

	Threads   []string
	Lanes     []string     // the schedule as String shows it, in blocks of whole lines
	Rows      []StoryRow   // the same in one column
	Variables []StoryValue // what they hold at first
	Steps     []StoryStep  // the schedule without folds: the first of them
	Total     int          // the number of all
}

// A StoryRow is a row of the lanes.
type StoryRow struct {
	Number string // of the steps: "", "3" or "3-6"
	Thread int    // index in Threads, -1 for the model's own code
	Why    string // why another thread ran before, "" if none did
	Text   string
	Prose  bool // Text is no code
	Place  string
	Here   bool // the failure is about this row
}

// A StoryValue is a variable and what it holds.
type StoryValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A StoryStep is a Step as the script reads it.
type StoryStep struct {
	Number   int    `json:"n,omitempty"`
	Thread   int    `json:"t"`
	Text     string `json:"s"`
	Effect   string `json:"e,omitempty"`
	Write    bool   `json:"w,omitempty"`
	Here     bool   `json:"h,omitempty"`
	Note     bool   `json:"note,omitempty"`
	Place    string `json:"p,omitempty"`
	Func     string `json:"f,omitempty"`
	Why      string `json:"why,omitempty"` // as in a StoryRow
	Variable int    `json:"o"`             // index in Variables, -1 if none
	Value    string `json:"v,omitempty"`   // of the variable, after the step
}

// maxStorySteps bounds the steps of a story.
const maxStorySteps = 2000

// Story tells f under a title.
func (f *Failure) Story(title string) Story {
	s := Story{Title: title, Kind: f.Kind, Message: strings.Split(f.Message, "\n"), Replay: f.Replay}
	if f.Replay == "" {
		return s
	}
	s.Summary, s.Threads, s.Lanes, s.Total = f.summary(), f.Threads, f.lanes(), len(f.Steps)
	for _, r := range f.rows() {
		s.Rows = append(s.Rows, f.storyRow(r))
	}
	f.tellSteps(&s)
	return s
}

// storyRow has the text of a row in one piece, since it is broken where it is shown. The
// first of all lanes leaves room for most of it.
func (f *Failure) storyRow(r row) StoryRow {
	const room = textWidth - laneIndent
	return StoryRow{
		Number: r.number, Thread: r.thread, Why: f.switched(r.from, r.why), Place: r.place, Here: r.here, Prose: r.prose,
		Text: strings.TrimPrefix(strings.Join(r.fit(room, room), "  "), checkMark),
	}
}

// switched says why another thread, which is from, ran before.
func (f *Failure) switched(from int, why Switch) string {
	if why == NoSwitch {
		return ""
	}
	return f.Threads[from] + " " + string(why)
}

// tellSteps adds the steps to s, and the variables.
func (f *Failure) tellSteps(s *Story) {
	index := map[int]int{}
	names := map[string]int{}
	last := -1
	for _, step := range f.Steps[:min(len(f.Steps), maxStorySteps)] {
		told := StoryStep{
			Number: step.Number, Thread: step.Thread, Text: step.Code, Effect: step.Effect, Write: step.Write, Here: step.Here,
			Func: step.Func, Why: f.switched(last, step.Switch), Variable: -1, Value: step.Value,
		}
		if step.Note != "" {
			told.Text, told.Note = step.Note, true
		}
		if step.File != "" {
			told.Place = fmt.Sprintf("%s:%d", step.File, step.Line)
		}
		if step.Object > 0 {
			i, ok := index[step.Object]
			if !ok {
				i = len(s.Variables)
				index[step.Object] = i
				s.Variables = append(s.Variables, StoryValue{uniqueName(cmp.Or(step.Name, receiver(step.Code)), names), step.Old})
			}
			told.Variable = i
		}
		if step.Thread >= 0 {
			last = step.Thread
		}
		s.Steps = append(s.Steps, told)
	}
}

// uniqueName numbers the variables that stand under one name in the source, such
// as the elements of an array.
func uniqueName(name string, names map[string]int) string {
	names[name]++
	if n := names[name]; n > 1 {
		return fmt.Sprintf("%s, the %s", name, ordinal(n))
	}
	return name
}

func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
