// Package trace is the log of a run: what the scheduler decided, in order. It
// is the source of every picture in the course, the golden file of its tests
// and the evidence of a failed check.
//
// A log is written as JSON lines: a Header, then one Event a line. For the
// same program, version and seed the bytes are the same. Exports turn it into
// Chrome's trace format; package timeline turns it into a page.
package trace

// Schema names the version of the format, in the header of every log.
const Schema = "gosched/trace/v1"

// A Header is the first line of a log.
type Header struct {
	Schema  string `json:"schema"`
	Go      string `json:"go"`                // the version that ran: "0.x", "1.1"
	Procs   int    `json:"procs"`             // Ps at the beginning; 0 where the version has none
	Ms      int    `json:"ms"`                // Ms at the end of the run
	Unit    string `json:"unit"`              // of Event.T: "instructions", "ps" or "ns" (of virtual time, where an instruction takes 1)
	Seed    uint64 `json:"seed,omitempty"`    //
	Runnext bool   `json:"runnext,omitempty"` // this version's Ps have a runnext slot
	Ring    int    `json:"ring,omitempty"`    // length of a P's run queue; 0 where there is none
	File    string `json:"file,omitempty"`    // the program's name
	Source  string `json:"source,omitempty"`  // and its text, for the line being run
}

// A Kind says what happened. Each constant names the fields of Event that it
// uses beside T, M and P, which say when and where.
type Kind string

const (
	Create  Kind = "create"  // G was created by By at Line, to run Text (a function)
	Put     Kind = "put"     // G went to the queue Q, at its tail, or at its head if Head
	Get     Kind = "get"     // G was taken from the queue Q
	Run     Kind = "run"     // M (with P) goes on with G, at Line
	Yield   Kind = "yield"   // G called Gosched at Line; it stays runnable
	Ask     Kind = "ask"     // G, which runs on P, was asked to stop, because of Text, by M; the monitor has no number
	Signal  Kind = "signal"  // a signal hit M, which runs G, at Line; Text says why G cannot stop there, if that is so
	Preempt Kind = "preempt" // G was stopped at Line, by Text: ByCall or BySignal
	Park    Kind = "park"    // G waits at Line, for Text
	Ready   Kind = "ready"   // By made the waiting G runnable
	Fire    Kind = "fire"    // a timer is due; Text is what it is for: "sleep" (of G), "channel" or "func"
	Exit    Kind = "exit"    // G ended
	Syscall Kind = "syscall" // G entered the system call Text at Line
	Sysexit Kind = "sysexit" // G is back from it
	Steal   Kind = "steal"   // P took Gs from the run queue of P number From, which held N
	Spin    Kind = "spin"    // M began to look for work in the queues of others
	Unspin  Kind = "unspin"  // M stopped looking: it found some, or gave up
	Idle    Kind = "idle"    // M went to sleep for want of work; if Text is Polling, it waits in the netpoller
	Wake    Kind = "wake"    // M was woken; if Text is Polling, it is back from the netpoller
	NewM    Kind = "newm"    // M was created
	Acquire Kind = "acquire" // M took P
	Release Kind = "release" // M gave P up
	Handoff Kind = "handoff" // P is given away because its M blocks or ends; if Text is Retaken or Halted, it was taken from M, which is in a system call
	Stop    Kind = "stop"    // M begins to stop the world, for Text
	Start   Kind = "start"   // M lets the world go on, with N Ps
	Stack   Kind = "stack"   // the stack of G grew to N bytes
	Write   Kind = "write"   // G wrote Text to file descriptor N
	Note    Kind = "note"    // Text, from the code of a part (Sched.Printf)
	End     Kind = "end"     // the program ended with status N; Text says why if not by its own will
)

// What has stopped a G: the Text of a Preempt.
const (
	ByCall   = "a call"   // whose prologue found the request to stop
	BySignal = "a signal" // between two instructions
)

// Who has taken a P from an M in a system call: the Text of a Handoff.
const (
	Retaken = "retaken" // the monitor
	Halted  = "halted"  // the M that stops the world
)

// Polling is the Text of an Idle and of a Wake of an M that waits for the network, rather than
// for another M to wake it.
const Polling = "polling"

// None stands for "no such G, P or M" in an Event. Gs are numbered from 1,
// Ps and Ms from 0.
const None = -1

// An Event is one line of the log.
type Event struct {
	T    int64   `json:"t"`
	Kind Kind    `json:"kind"`
	M    int32   `json:"m"`
	P    int32   `json:"p"`
	G    int64   `json:"g"`
	By   int64   `json:"by,omitempty"`   // another G
	Q    string  `json:"q,omitempty"`    // "global", "local" (of P), "next" (runnext of P), "idle"
	Head bool    `json:"head,omitempty"` //
	From int32   `json:"from,omitempty"` // another P
	Gs   []int64 `json:"gs,omitempty"`   //
	N    int64   `json:"n,omitempty"`    //
	Line int     `json:"line,omitempty"` // of the program's source; 0 if unknown
	Text string  `json:"text,omitempty"` //
}

// A Log is a whole run in memory. Its events are sorted by T; events of the
// same T stand in the order in which they happened.
type Log struct {
	Header Header
	Events []Event
}
