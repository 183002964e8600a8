package timeline

import (
	"encoding/json"
	"slices"

	"gosched/chapters/trace"
)

// page is what the script reads: a Story with each state reduced to what
// changed in its step. Names are short because there is a thousand of each.
type page struct {
	Letter string     `json:"letter"` // of a row: "P" or "M"
	Unit   string     `json:"unit"`
	Next   bool       `json:"next,omitempty"`
	Ring   int        `json:"ring,omitempty"`
	Rows   int        `json:"rows"`
	Away   []int32    `json:"away,omitempty"` // the Ms of the rows of bars behind those
	MaxG   int64      `json:"maxg"`
	Waits  []string   `json:"waits,omitempty"` // the labels of the lists of those that wait
	File   string     `json:"file,omitempty"`
	Source string     `json:"source,omitempty"`
	Total  int        `json:"total"`
	Start  int        `json:"start"`
	Steps  []pageStep `json:"steps"`
	Bars   [][]any    `json:"bars"` // row, doing, G, from, to, t0, t1, end
}

type pageStep struct {
	T    int64  `json:"t"`
	Text string `json:"s"`
	Row  int    `json:"r"`

	// The changes; a key of a map is an index.
	Rows    map[int][]int64 `json:"p,omitempty"` // doing, G, M, runnext, queue
	Global  []int64         `json:"g,omitempty"` // a queue: its length and its first Gs
	Waiting map[int][]int64 `json:"w,omitempty"`
	Asleep  []int64         `json:"z,omitempty"`
	Polling []int64         `json:"n,omitempty"`
	Counts  []int           `json:"c,omitempty"` // created, ended
	Lines   [][2]int64      `json:"l,omitempty"` // G, line
	Output  [][2]any        `json:"o,omitempty"` // fd, text
	Steals  [][]int64       `json:"x,omitempty"` // to, from, of, Gs
	Marks   [][2]any        `json:"k,omitempty"` // What, row
}

// encode returns the data of a timeline as JSON that is safe inside a script
// element: encoding/json escapes <, > and &.
func encode(s *Story, opt Options) ([]byte, error) {
	p := page{
		Letter: "P", Unit: s.Header.Unit, Next: s.Header.Runnext, Ring: s.Header.Ring, Rows: s.Rows, Away: s.Callers,
		File: s.Header.File, Total: s.Total, Start: max(1, min(opt.Start, len(s.Steps))),
		Steps: []pageStep{}, Bars: [][]any{},
	}
	for _, reason := range s.Reasons {
		switch reason {
		case inSyscall:
			p.Waits = append(p.Waits, opt.Words.InSyscall)
		case forItsM:
			p.Waits = append(p.Waits, opt.Words.ForItsM)
		default:
			p.Waits = append(p.Waits, fill(opt.Words.Parked, reason))
		}
	}
	if s.ByM {
		p.Letter = "M"
	}
	if !opt.HideSource {
		p.Source = s.Header.Source
	}
	before := State{}
	for _, step := range s.Steps {
		p.Steps = append(p.Steps, changes(before, step))
		before = step.State
	}
	for _, b := range s.Bars {
		p.MaxG = max(p.MaxG, b.G)
		p.Bars = append(p.Bars, []any{b.Row, b.Doing, b.G, b.From, b.To, b.T0, b.T1, mark(b.End)})
	}
	for _, step := range s.Steps {
		p.MaxG = max(p.MaxG, int64(step.State.Created))
	}
	return json.Marshal(p)
}

// mark is the letter of what is drawn at the end of a bar.
func mark(end trace.Kind) string {
	switch end {
	case trace.Park:
		return "o"
	case trace.Exit:
		return "x"
	case trace.Preempt:
		return "v"
	case trace.Signal:
		return "s"
	case trace.Sysexit:
		return "n"
	}
	return ""
}

// changes returns step with what differs from the state before it.
func changes(before State, step Step) pageStep {
	now := step.State
	p := pageStep{T: step.T, Text: step.Text, Row: step.Row}
	for _, m := range step.Marks {
		p.Marks = append(p.Marks, [2]any{m.What, m.Row})
	}
	for i, r := range now.Rows {
		if i < len(before.Rows) && slices.Equal(flatRow(before.Rows[i]), flatRow(r)) {
			continue
		}
		set(&p.Rows, i, flatRow(r))
	}
	for i, q := range now.Waiting {
		old := Queue{}
		if i < len(before.Waiting) {
			old = before.Waiting[i]
		}
		if !sameQueue(old, q) {
			set(&p.Waiting, i, flat(q))
		}
	}
	if !sameQueue(before.Global, now.Global) {
		p.Global = flat(now.Global)
	}
	if !sameQueue(before.Asleep, now.Asleep) {
		p.Asleep = flat(now.Asleep)
	}
	if !sameQueue(before.Polling, now.Polling) {
		p.Polling = flat(now.Polling)
	}
	if before.Created != now.Created || before.Ended != now.Ended {
		p.Counts = []int{now.Created, now.Ended}
	}
	for _, l := range step.Lines {
		p.Lines = append(p.Lines, [2]int64{l.G, int64(l.Line)})
	}
	for _, o := range step.Output {
		p.Output = append(p.Output, [2]any{o.Fd, o.Text})
	}
	for _, s := range step.Steals {
		p.Steals = append(p.Steals, append([]int64{int64(s.To), int64(s.From), int64(s.Of)}, s.Gs...))
	}
	return p
}

func set(m *map[int][]int64, i int, v []int64) {
	if *m == nil {
		*m = map[int][]int64{}
	}
	(*m)[i] = v
}

func flatRow(r Row) []int64 {
	return append([]int64{int64(r.Doing), r.G, r.M, r.Next}, flat(r.Queue)...)
}

func flat(q Queue) []int64 { return append([]int64{int64(q.Len)}, q.Head...) }

func sameQueue(a, b Queue) bool { return a.Len == b.Len && slices.Equal(a.Head, b.Head) }
