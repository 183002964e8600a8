package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// kinds holds every Kind that a log may have.
var kinds = []Kind{
	Create, Put, Get, Run, Yield, Ask, Signal, Preempt, Park, Ready, Fire, Exit, Syscall, Sysexit, Steal, Spin,
	Unspin, Idle, Wake, NewM, Acquire, Release, Handoff, Stop, Start, Stack, Write, Note, End,
}

// WriteTo writes log as JSON lines and returns the number of bytes written. The
// header is stamped with Schema. The same log gives the same bytes. A Text
// that is not UTF-8 has each bad byte replaced by U+FFFD, since the log is JSON.
func (log *Log) WriteTo(w io.Writer) (int64, error) {
	count := &countingWriter{w: w}
	buf := bufio.NewWriter(count)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)

	header := log.Header
	header.Schema = Schema
	if err := enc.Encode(header); err != nil {
		return count.n, fmt.Errorf("trace: write the header: %w", err)
	}
	for i := range log.Events {
		if err := enc.Encode(&log.Events[i]); err != nil {
			return count.n, fmt.Errorf("trace: write event %d: %w", i+1, err)
		}
	}
	if err := buf.Flush(); err != nil {
		return count.n, fmt.Errorf("trace: write: %w", err)
	}
	return count.n, nil
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Read reads a log that WriteTo wrote. It accepts nothing else: an unknown
// schema, kind or field, a missing field and a time that goes back are errors,
// which name the line, counted from 1, and what is wrong with it.
func Read(r io.Reader) (*Log, error) {
	br := bufio.NewReader(r)
	log := &Log{}
	last := int64(0)
	for line := 1; ; line++ {
		text, err := br.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("trace: read line %d: %w", line, err)
		}
		if len(text) == 0 {
			if line == 1 {
				return nil, errors.New("trace: the input is empty; a log begins with a header line")
			}
			return log, nil
		}
		if err == io.EOF {
			return nil, fmt.Errorf("trace: line %d ends without a newline: the log was cut off", line)
		}
		if line == 1 {
			err = readHeader(text, &log.Header)
		} else {
			var e Event
			if e, err = readEvent(text); err == nil && e.T < last {
				err = fmt.Errorf("t is %d after %d; the events of a log are sorted by t", e.T, last)
			}
			last = e.T
			log.Events = append(log.Events, e)
		}
		if err != nil {
			return nil, fmt.Errorf("trace: line %d: %w", line, err)
		}
	}
}

func readHeader(text []byte, h *Header) error {
	// The schema is looked at first: a log of another version may differ in
	// every other field.
	var probe struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(text, &probe); err != nil || probe.Schema == nil {
		return fmt.Errorf("not the header of a log, which is a JSON object with \"schema\":%q", Schema)
	}
	if *probe.Schema != Schema {
		return fmt.Errorf("schema is %q; this program reads %q", *probe.Schema, Schema)
	}
	return decode(text, h)
}

// wireEvent is an Event whose required fields can be seen to be missing: its
// own fields hide those of the same name in Event.
type wireEvent struct {
	T    *int64 `json:"t"`
	Kind *Kind  `json:"kind"`
	M    *int32 `json:"m"`
	P    *int32 `json:"p"`
	G    *int64 `json:"g"`
	Event
}

func readEvent(text []byte) (Event, error) {
	var w wireEvent
	if err := decode(text, &w); err != nil {
		return Event{}, err
	}
	var missing []string
	for _, f := range []struct {
		name    string
		missing bool
	}{{"t", w.T == nil}, {"kind", w.Kind == nil}, {"m", w.M == nil}, {"p", w.P == nil}, {"g", w.G == nil}} {
		if f.missing {
			missing = append(missing, f.name)
		}
	}
	if missing != nil {
		return Event{}, fmt.Errorf("the event lacks %s", strings.Join(missing, ", "))
	}
	if *w.T < 0 {
		return Event{}, fmt.Errorf("t is %d; it must not be negative", *w.T)
	}
	if !slices.Contains(kinds, *w.Kind) {
		return Event{}, fmt.Errorf("unknown kind %q", *w.Kind)
	}
	e := w.Event
	e.T, e.Kind, e.M, e.P, e.G = *w.T, *w.Kind, *w.M, *w.P, *w.G
	return e, nil
}

// decode reads the one JSON object of a line into v and accepts no other field.
func decode(text []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("the line is empty")
		}
		return fmt.Errorf("not a JSON object of a log: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value on the line")
	}
	return nil
}
