package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// WriteChrome writes log in Chrome's trace format, which Perfetto
// (ui.perfetto.dev) and chrome://tracing open. It has two groups. In the first
// a track for each P (for each M where the version has no P) shows the Gs that
// ran there. In the second a track for each G shows its states: running,
// runnable, waiting, in a system call. Slices on one track never overlap.
// Steals, wakes, parks, requests to stop, signals, preemptions, hand-offs, stacks that grow,
// timers and a world that stops are instants; an arrow leads from the one who created or
// readied a G to where it runs next.
//
// The format counts microseconds. An instruction is drawn as 1 ns.
func WriteChrome(w io.Writer, log *Log) error {
	c := &chrome{log: log, byM: log.Header.Procs <= 0, lanes: map[int32]*chromeLane{}, gs: map[int64]*chromeG{}, laneOfM: map[int32]int32{}}
	switch log.Header.Unit {
	case "ps":
		c.divisor = 1000
	case "ns", "instructions":
		c.divisor = 1
	default:
		return fmt.Errorf("trace: the header's unit is %q; it must be \"instructions\", \"ps\" or \"ns\"", log.Header.Unit)
	}
	for i := range log.Events {
		c.event(&log.Events[i])
	}
	c.finish()
	return c.write(w)
}

const (
	lanesPid = 1
	gsPid    = 2
)

// A chromeEvent is one entry of traceEvents. Ph is the format's letter for what
// it is: X a slice, i an instant, s and f the ends of an arrow, M a name.
type chromeEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Ph    string         `json:"ph"`
	Ts    micros         `json:"ts"`
	Dur   *micros        `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int64          `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bp    string         `json:"bp,omitempty"` // "e": the arrow ends in the slice around ts
	Scope string         `json:"s,omitempty"`  // "t": the instant belongs to its track
	Args  map[string]any `json:"args,omitempty"`
}

// micros is a time in nanoseconds, written in microseconds. Whole nanoseconds
// keep the end of one slice and the start of the next exactly equal.
type micros int64

func (m micros) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", m/1000, m%1000), nil
}

// chrome turns events into slices. It trusts no order: on logs of real threads
// an event of one M may stand after a later one of another.
type chrome struct {
	log     *Log
	byM     bool
	divisor int64
	now     micros
	lanes   map[int32]*chromeLane
	gs      map[int64]*chromeG
	laneOfM map[int32]int32
	flows   int
	out     []chromeEvent
}

type chromeLane struct {
	g     int64 // runs here; 0 if none
	m     int32 // the M that runs it
	line  int
	since micros
}

type chromeG struct {
	state string // "" before it is created and after its end
	since micros
	lane  int32 // where it runs; None elsewhere
	flow  int   // the arrow that ends at its next run; 0 if none
}

func (c *chrome) event(e *Event) {
	// Time never goes back, so that slices cannot overlap whatever the log says.
	c.now = max(c.now, micros(e.T/c.divisor))
	lane := c.laneOf(e)
	switch e.Kind {
	case Create:
		c.arrowFrom(e)
		c.setState(e.G, "runnable")
	case Run:
		c.run(e, lane)
	case Yield:
		c.stop(e, "runnable")
	case Ask:
		c.instant(lane, "ask "+gname(e.G)+" to stop", map[string]any{"why": e.Text})
	case Signal:
		args := map[string]any{"line": e.Line}
		if e.Text != "" {
			args["goes on, since"] = e.Text
		}
		c.instant(lane, "a signal hits "+gname(e.G), args)
	case Preempt:
		c.instant(lane, "preempt "+gname(e.G), map[string]any{"by": e.Text, "line": e.Line})
		c.stop(e, "runnable")
	case Park:
		c.instant(lane, "park "+gname(e.G), map[string]any{"why": e.Text})
		c.stop(e, waiting(e.Text))
	case Ready:
		if c.g(e.G).lane == None {
			c.arrowFrom(e)
			c.setState(e.G, "runnable")
		}
	case Fire:
		c.instant(lane, "timer", map[string]any{"does": e.Text})
	case Exit:
		c.stop(e, "")
	case Syscall:
		c.setState(e.G, "in system call "+e.Text)
	case Sysexit:
		if c.g(e.G).lane != None {
			c.setState(e.G, "running")
		} else {
			c.setState(e.G, "runnable")
		}
	case Release:
		c.closeLane(lane)
	case Handoff:
		switch e.Text {
		case Retaken:
			c.instant(lane, fmt.Sprintf("retake from M%d", e.M), nil)
		case Halted:
			c.instant(lane, fmt.Sprintf("stop, M%d in a system call", e.M), nil)
		default:
			c.instant(lane, fmt.Sprintf("hand off by M%d", e.M), nil)
		}
		c.closeLane(lane)
	case Stack:
		c.instant(lane, "the stack of "+gname(e.G)+" grows", map[string]any{"bytes": e.N})
	case Steal:
		c.instant(lane, fmt.Sprintf("steal %d of %d from P%d", len(e.Gs), e.N, e.From), map[string]any{"gs": e.Gs})
	case Wake:
		if e.Text == Polling {
			c.instant(lane, fmt.Sprintf("M%d is back from the netpoller", e.M), nil)
		} else {
			c.instant(lane, fmt.Sprintf("wake M%d", e.M), nil)
		}
	case Stop:
		c.instant(lane, "stop the world", map[string]any{"why": e.Text})
	case Start:
		c.instant(lane, fmt.Sprintf("the world starts again, with %d Ps", e.N), nil)
	case Acquire:
		c.laneOfM[e.M] = lane
	}
}

// laneOf returns the track in the first group that e belongs to, None if that
// is not known.
func (c *chrome) laneOf(e *Event) int32 {
	if c.byM {
		return e.M
	}
	if e.P >= 0 {
		return e.P
	}
	if p, ok := c.laneOfM[e.M]; ok {
		return p
	}
	return None
}

func (c *chrome) lane(id int32) *chromeLane {
	if c.lanes[id] == nil {
		c.lanes[id] = &chromeLane{m: None}
	}
	return c.lanes[id]
}

func (c *chrome) g(id int64) *chromeG {
	if c.gs[id] == nil {
		c.gs[id] = &chromeG{lane: None}
	}
	return c.gs[id]
}

func (c *chrome) run(e *Event, id int32) {
	if id < 0 || e.G <= 0 {
		return
	}
	gp := c.g(e.G)
	c.closeLane(gp.lane) // it cannot run in two places
	c.closeLane(id)
	if gp.flow != 0 {
		c.out = append(c.out, chromeEvent{Name: "wakes", Cat: "wake", Ph: "f", Bp: "e", ID: gp.flow, Ts: c.now, Pid: lanesPid, Tid: tid(id)})
		gp.flow = 0
	}
	c.setState(e.G, "running")
	gp.lane = id
	*c.lane(id) = chromeLane{g: e.G, m: e.M, line: e.Line, since: c.now}
	c.laneOfM[e.M] = id
}

// stop ends the run of e.G, which is then in state. It does nothing if G runs
// on another M by now: then the event came late. An event of an unknown M is
// taken as it stands.
func (c *chrome) stop(e *Event, state string) {
	gp := c.g(e.G)
	if gp.lane != None {
		if e.M >= 0 && c.lane(gp.lane).m != e.M {
			return
		}
		c.closeLane(gp.lane)
	}
	c.setState(e.G, state)
}

// closeLane ends what runs on the track id. Its G has no state until the next
// event tells.
func (c *chrome) closeLane(id int32) {
	l := c.lanes[id]
	if l == nil || l.g == 0 {
		return
	}
	args := map[string]any{"m": l.m}
	if l.line > 0 {
		args["line"] = l.line
	}
	c.slice(gname(l.g), l.since, lanesPid, tid(id), args)
	gp := c.g(l.g)
	gp.lane = None
	if gp.state == "running" {
		c.setState(l.g, "runnable")
	}
	l.g = 0
}

func (c *chrome) setState(id int64, state string) {
	if id <= 0 {
		return
	}
	gp := c.g(id)
	if gp.state == state {
		return
	}
	if gp.state != "" && (c.now > gp.since || gp.state == "running") {
		c.slice(gp.state, gp.since, gsPid, id, nil)
	}
	gp.state, gp.since = state, c.now
}

func (c *chrome) slice(name string, since micros, pid int, tid int64, args map[string]any) {
	dur := c.now - since
	c.out = append(c.out, chromeEvent{Name: name, Ph: "X", Ts: since, Dur: &dur, Pid: pid, Tid: tid, Args: args})
}

func (c *chrome) instant(lane int32, name string, args map[string]any) {
	if lane < 0 {
		return
	}
	c.lane(lane)
	c.out = append(c.out, chromeEvent{Name: name, Ph: "i", Scope: "t", Ts: c.now, Pid: lanesPid, Tid: tid(lane), Args: args})
}

// arrowFrom starts an arrow where e.By runs; it ends at the next run of e.G.
func (c *chrome) arrowFrom(e *Event) {
	if e.By <= 0 || e.G <= 0 || c.g(e.By).lane == None {
		return
	}
	c.flows++
	c.g(e.G).flow = c.flows
	c.out = append(c.out, chromeEvent{Name: "wakes", Cat: "wake", Ph: "s", ID: c.flows, Ts: c.now, Pid: lanesPid, Tid: tid(c.g(e.By).lane)})
}

// finish closes what is open at the end of the log and removes the starts of
// arrows that lead nowhere.
func (c *chrome) finish() {
	for _, id := range sortedKeys(c.lanes) {
		c.closeLane(id)
	}
	for _, id := range sortedKeys(c.gs) {
		c.setState(id, "")
	}
	ends := map[int]bool{}
	for _, e := range c.out {
		if e.Ph == "f" {
			ends[e.ID] = true
		}
	}
	c.out = slices.DeleteFunc(c.out, func(e chromeEvent) bool { return e.Ph == "s" && !ends[e.ID] })
}

func (c *chrome) names() []chromeEvent {
	group, letter := "Ps", "P"
	if c.byM {
		group, letter = "Ms", "M"
	}
	meta := func(pid int, tid int64, what, name string, order int64) []chromeEvent {
		return []chromeEvent{
			{Name: what + "_name", Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": name}},
			{Name: what + "_sort_index", Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"sort_index": order}},
		}
	}
	out := slices.Concat(meta(lanesPid, 0, "process", group, 0), meta(gsPid, 0, "process", "Gs", 1))
	for _, id := range sortedKeys(c.lanes) {
		out = append(out, meta(lanesPid, tid(id), "thread", fmt.Sprint(letter, id), int64(id))...)
	}
	for _, id := range sortedKeys(c.gs) {
		if id > 0 {
			out = append(out, meta(gsPid, id, "thread", gname(id), id)...)
		}
	}
	return out
}

func (c *chrome) write(w io.Writer) error {
	buf := bufio.NewWriter(w)
	about, err := json.Marshal(map[string]any{"go": c.log.Header.Go, "file": c.log.Header.File, "seed": c.log.Header.Seed, "unit": c.log.Header.Unit})
	if err != nil {
		return fmt.Errorf("trace: write the Chrome header: %w", err)
	}
	fmt.Fprintf(buf, "{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\"traceEvents\":[", about)
	sep := "\n"
	for _, e := range slices.Concat(c.names(), c.out) {
		text, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("trace: write a Chrome event: %w", err)
		}
		buf.WriteString(sep)
		buf.Write(text)
		sep = ",\n"
	}
	buf.WriteString("\n]}\n")
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("trace: write: %w", err)
	}
	return nil
}

// tid is the number of a track for a P or M. It is one more than its id, since
// Perfetto takes 0 for the idle thread of the system.
func tid(lane int32) int64 { return int64(lane) + 1 }

func gname(id int64) string {
	if id == 1 {
		return "main"
	}
	return fmt.Sprintf("G%d", id)
}

func waiting(why string) string {
	if why == "" {
		return "waiting"
	}
	return "waiting: " + why
}

func sortedKeys[K int32 | int64, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
