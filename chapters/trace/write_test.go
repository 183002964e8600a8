package trace

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run go test -update to make the golden file")
	assert.Empty(t, cmp.Diff(string(want), string(got)))
}

// sample is a short run with 2 Ps that has every kind of event.
func sample() *Log {
	return &Log{
		Header: Header{Schema: Schema, Go: "1.14", Procs: 2, Ms: 2, Unit: "instructions", Seed: 7, Runnext: true, Ring: 4, File: "a.go", Source: "package main\n\nfunc main() { <-c }\n"},
		Events: []Event{
			{T: 0, Kind: Acquire, M: 0, P: 0, G: None},
			{T: 0, Kind: Create, M: 0, P: 0, G: 1, Text: "main.main"},
			{T: 0, Kind: Put, M: 0, P: 0, G: 1, Q: "next"},
			{T: 0, Kind: Get, M: 0, P: 0, G: 1, Q: "next"},
			{T: 0, Kind: Run, M: 0, P: 0, G: 1, Line: 3},
			{T: 10, Kind: Create, M: 0, P: 0, G: 2, By: 1, Line: 4, Text: "main.f"},
			{T: 10, Kind: Put, M: 0, P: 0, G: 2, Q: "local"},
			{T: 12, Kind: Create, M: 0, P: 0, G: 3, By: 1, Line: 5, Text: "main.g"},
			{T: 12, Kind: Put, M: 0, P: 0, G: 3, Q: "local", Head: true},
			{T: 12, Kind: NewM, M: 1, P: None, G: None},
			{T: 12, Kind: Wake, M: 1, P: 1, G: None},
			{T: 13, Kind: Acquire, M: 1, P: 1, G: None},
			{T: 13, Kind: Spin, M: 1, P: 1, G: None},
			{T: 14, Kind: Steal, M: 1, P: 1, G: None, From: 0, Gs: []int64{2}, N: 2},
			{T: 14, Kind: Unspin, M: 1, P: 1, G: None},
			{T: 14, Kind: Run, M: 1, P: 1, G: 2, Line: 8},
			{T: 20, Kind: Stack, M: 1, P: 1, G: 2, N: 4096},
			{T: 21, Kind: Write, M: 1, P: 1, G: 2, N: 1, Text: "a < b && \"c\"\n"},
			{T: 22, Kind: Park, M: 0, P: 0, G: 1, Line: 6, Text: "chan receive"},
			{T: 22, Kind: Get, M: 0, P: 0, G: 3, Q: "local"},
			{T: 22, Kind: Run, M: 0, P: 0, G: 3, Line: 9},
			{T: 29, Kind: Ask, M: None, P: 0, G: 3, Text: "it has run for 10 ms"},
			{T: 30, Kind: Signal, M: 0, P: 0, G: 3, Line: 9},
			{T: 30, Kind: Preempt, M: 0, P: 0, G: 3, Line: 9, Text: BySignal},
			{T: 30, Kind: Put, M: 0, P: 0, G: 3, Q: "global"},
			{T: 30, Kind: Get, M: 0, P: 0, G: 3, Q: "global"},
			{T: 30, Kind: Run, M: 0, P: 0, G: 3, Line: 9},
			{T: 33, Kind: Ready, M: 1, P: 1, G: 1, By: 2},
			{T: 33, Kind: Put, M: 1, P: 1, G: 1, Q: "next"},
			{T: 35, Kind: Yield, M: 1, P: 1, G: 2, Line: 8},
			{T: 35, Kind: Put, M: 1, P: 1, G: 2, Q: "global"},
			{T: 35, Kind: Run, M: 1, P: 1, G: 1, Line: 6},
			{T: 40, Kind: Syscall, M: 0, P: 0, G: 3, Line: 10, Text: "read"},
			{T: 43, Kind: Signal, M: 0, P: 0, G: 3, Line: 10, Text: "it is in a system call"},
			{T: 44, Kind: Handoff, M: 0, P: 0, G: None, Text: Retaken},
			{T: 50, Kind: Sysexit, M: 0, P: None, G: 3},
			{T: 50, Kind: Idle, M: 0, P: None, G: None},
			{T: 50, Kind: Fire, M: 1, P: 1, G: None, Text: "channel"},
			{T: 51, Kind: Stop, M: 1, P: 1, G: None, Text: "GOMAXPROCS"},
			{T: 51, Kind: Start, M: 1, P: 1, G: None, N: 2},
			{T: 51, Kind: Note, M: 1, P: 1, G: None, Text: "60 % done"},
			{T: 60, Kind: Exit, M: 1, P: 1, G: 1},
			{T: 60, Kind: Release, M: 1, P: 1, G: None},
			{T: 60, Kind: End, M: 1, P: None, G: None, N: 2, Text: "exit status 2"},
		},
	}
}

func encode(t *testing.T, log *Log) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := log.WriteTo(&b)
	require.NoError(t, err)
	assert.Equal(t, int64(b.Len()), n, "bytes counted")
	return b.Bytes()
}

func TestWriteGolden(t *testing.T) {
	got := encode(t, sample())
	golden(t, "sample.jsonl", got)
	assert.Equal(t, got, encode(t, sample()), "the same log gives the same bytes")
	assert.Equal(t, 1+len(sample().Events), bytes.Count(got, []byte("\n")), "one line for the header and for each event")
}

func TestRoundTrip(t *testing.T) {
	seen := map[Kind]bool{}
	for _, e := range sample().Events {
		seen[e.Kind] = true
	}
	for _, k := range kinds {
		assert.True(t, seen[k], "the sample has no %q", k)
	}
	for name, log := range map[string]*Log{
		"sample":    sample(),
		"no events": {Header: Header{Schema: Schema, Go: "0.x", Unit: "ns"}},
		"long line": {Header: Header{Schema: Schema, Go: "0.x", Unit: "ns"}, Events: []Event{{Kind: Write, Text: strings.Repeat("x", 1<<20)}}},
	} {
		got, err := Read(bytes.NewReader(encode(t, log)))
		require.NoError(t, err, name)
		assert.Empty(t, cmp.Diff(log, got), name)
	}
}

func TestWriteStampsTheSchema(t *testing.T) {
	got, err := Read(bytes.NewReader(encode(t, &Log{Header: Header{Go: "0.x"}})))
	require.NoError(t, err)
	assert.Equal(t, Schema, got.Header.Schema)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	_, err := sample().WriteTo(fullDisk{})
	assert.ErrorContains(t, err, "disk full")
	assert.ErrorContains(t, WriteChrome(fullDisk{}, sample()), "disk full")
}

func TestReadErrors(t *testing.T) {
	const header = `{"schema":"gosched/trace/v1","go":"0.x","procs":0,"ms":1,"unit":"ns"}` + "\n"
	const run = `{"t":5,"kind":"run","m":0,"p":-1,"g":1}` + "\n"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "the input is empty"},
		{"not JSON", "hello\n", "line 1: not the header of a log"},
		{"no schema", "{}\n", "line 1: not the header of a log"},
		{"other schema", `{"schema":"gosched/trace/v9"}` + "\n", `line 1: schema is "gosched/trace/v9"; this program reads "gosched/trace/v1"`},
		{"unknown header field", `{"schema":"gosched/trace/v1","cpus":3}` + "\n", `line 1: not a JSON object of a log: unknown field "cpus"`},
		{"cut off", header + run + `{"t":6,"ki`, "line 3 ends without a newline"},
		{"bad event", header + run + "{\n", "line 3: not a JSON object of a log"},
		{"wrong type", header + `{"t":"x","kind":"run","m":0,"p":-1,"g":1}` + "\n", "line 2: not a JSON object of a log"},
		{"empty line", header + "\n" + run, "line 2: the line is empty"},
		{"two values", header + strings.TrimSpace(run) + " {}\n", "line 2: more than one JSON value"},
		{"unknown kind", header + `{"t":5,"kind":"walk","m":0,"p":-1,"g":1}` + "\n", `line 2: unknown kind "walk"`},
		{"unknown field", header + `{"t":5,"kind":"run","m":0,"p":-1,"g":1,"x":1}` + "\n", `line 2: not a JSON object of a log: unknown field "x"`},
		{"missing fields", header + `{"t":5,"kind":"run","m":0}` + "\n", "line 2: the event lacks p, g"},
		{"negative time", header + `{"t":-5,"kind":"run","m":0,"p":-1,"g":1}` + "\n", "line 2: t is -5; it must not be negative"},
		{"time goes back", header + run + `{"t":4,"kind":"run","m":0,"p":-1,"g":1}` + "\n", "line 3: t is 4 after 5"},
	} {
		log, err := Read(strings.NewReader(c.in))
		assert.Nil(t, log, c.name)
		assert.ErrorContains(t, err, c.want, c.name)
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	sample().WriteTo(&b)
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, in []byte) {
		log, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		again, err := Read(bytes.NewReader(encode(t, log)))
		require.NoError(t, err)
		assert.Empty(t, cmp.Diff(log, again))
	})
}
