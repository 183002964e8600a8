package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// HistorySchema names the version of the format of a History as JSON.
const HistorySchema = "gosched/bench-history/v1"

// HistoryFile is where the table of the book is kept, in the course.
const HistoryFile = "book/history.json"

// HistoryPrograms are those of a History: in all of them goroutines take turns.
var HistoryPrograms = []string{"yield", "pingpong", "spawn", "select", "buffered", "sieve", "tree", "mutex"}

// A History is what programs cost on the versions of the course, with one P, as ratio to the
// installed Go.
type History struct {
	Schema   string       `json:"schema"`
	Date     string       `json:"date"` // 2026-01-31
	Go       string       `json:"go"`   // "go1.26"
	System   string       `json:"system"`
	CPU      string       `json:"cpu"`
	Commit   string       `json:"commit"` // with a + if the tree had changes
	Programs []string     `json:"programs"`
	Versions []string     `json:"versions"`
	Ratios   []HistoryRow `json:"ratios"` // of each program on each version, in this order
}

// A HistoryRow is one ratio of a History.
type HistoryRow struct {
	Program string  `json:"program"`
	Version string  `json:"version"`
	Ratio   float64 `json:"ratio"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// SetRatios takes the ratios of a report, in which each program must be on each version.
func (h *History) SetRatios(report *Report) error {
	h.Schema, h.Ratios = HistorySchema, nil
	if len(report.Skipped) > 0 {
		s := report.Skipped[0]
		return fmt.Errorf("%s could not be measured: %s", s.Name, s.Reason)
	}
	for _, r := range report.Rows {
		h.Ratios = append(h.Ratios, HistoryRow{r.Name, r.Version, thousandth(r.Ratio), thousandth(r.Low), thousandth(r.High)})
	}
	return h.check()
}

// WriteJSON writes the history.
func (h *History) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	return enc.Encode(h)
}

// ReadHistory reads what WriteJSON has written, and says what is wrong with anything else.
func ReadHistory(data []byte) (*History, error) {
	var h History
	if err := json.Unmarshal(data, &h); err != nil {
		return nil, err
	}
	return &h, h.check()
}

var dateForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// check says what is missing or does not fit.
func (h *History) check() error {
	switch {
	case h.Schema != HistorySchema:
		return fmt.Errorf("its schema is %q instead of %q", h.Schema, HistorySchema)
	case !dateForm.MatchString(h.Date):
		return fmt.Errorf("its date is %q and not like 2026-01-31", h.Date)
	case h.Go == "" || h.System == "" || h.CPU == "" || h.Commit == "":
		return errors.New("it does not say with which Go, on which system and CPU and at which commit it was measured")
	case len(h.Programs) == 0 || len(h.Versions) == 0:
		return errors.New("it has no programs or no versions")
	case len(h.Ratios) != len(h.Programs)*len(h.Versions):
		return fmt.Errorf("it has %d ratios for %d programs on %d versions", len(h.Ratios), len(h.Programs), len(h.Versions))
	}
	for i, r := range h.Ratios {
		program, version := h.Programs[i/len(h.Versions)], h.Versions[i%len(h.Versions)]
		if r.Program != program || r.Version != version {
			return fmt.Errorf("its ratio %d is of %s on Go %s instead of %s on Go %s", i+1, r.Program, r.Version, program, version)
		}
		if r.Low <= 0 || r.Low > r.Ratio || r.Ratio > r.High {
			return fmt.Errorf("the ratio of %s on Go %s, %v, is not within its interval, %v to %v", program, version, r.Ratio, r.Low, r.High)
		}
	}
	return nil
}
