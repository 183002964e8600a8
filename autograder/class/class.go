// Package class grades a whole class: a roster says where each student's submission is, a pool
// of workers grades them, and what comes out is a folder of results, a table and a page.
//
// How one submission is graded is not known here: a function is given. What is known here is
// what must hold whatever that function does. Every student has a line in the table. A batch
// can be killed at any moment and started again, and grades nothing twice. One submission that
// breaks something does not keep the others waiting. And what the instructor's own machine did
// not manage is never a student's mistake: it is tried again, and then reported as such.
//
// The folder of a batch has
//
//	batch.json           the roster, and what the results depend on besides the submissions
//	students/ID.json     a Submission: what was found at a student's source
//	results/KEY.json     a Result, by all that it depends on
//	evidence/KEY/...     the evidence of checks that fail, as text
//	extra.csv            what extra checks say, if there are any
//	work/                what is in work
//	lock, lock.txt       that somebody works here, and who
//	class.csv            the table
//	class.html           the page
//
// The first four are never changed in place: a file is there, whole, or not at all. The tables
// and the page are made from them and can be made again at any time.
//
// Of extra checks (package extra) the page, class.csv and the evidence have what students may be
// shown. The results and extra.csv have all, and are for the instructor.
package class

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gosched/autograder/grade"
)

// A Grade grades the submission in a folder, which it does not change: the chapters with these IDs,
// or all that are written if there are none. The folder is an absolute path. An error says that the
// submission could not be graded for a reason that lies outside of it. Several goroutines may call
// a Grade at once.
type Grade func(ctx context.Context, dir string, chapters []string) (*grade.Report, error)

// A Sum returns the content address of what is graded of the submission in a folder, an absolute
// path. Whatever a Grade could see must be in it. Several goroutines may call a Sum at once.
type Sum func(dir string) (string, error)

// A Status says what became of a student's submission.
type Status string

const (
	Graded        Status = "graded"
	NoSubmission  Status = "no_submission"  // there is nothing at the source; the message says what is missing
	InternalError Status = "internal_error" // it could not be graded, for no fault of the student's
	Missing       Status = "missing"        // no batch has come to it yet
)

// A Submission is what was found at a student's source.
type Submission struct {
	Row
	Status  Status `json:"status"` // never Missing
	Message string `json:"message,omitempty"`

	Commit string    `json:"resolved,omitempty"`   // the commit that was graded, 40 or 64 hexadecimal digits; "" if the source is a folder
	Time   time.Time `json:"time,omitzero"`        // of the commit, as its author's computer had it
	Late   bool      `json:"late,omitempty"`       // Time is after Due
	InTime string    `json:"in_time,omitempty"`    // of a late one: the last commit before Due, "" if there is none
	Sum    string    `json:"submission,omitempty"` // the content address of what was graded
	Key    string    `json:"key,omitempty"`        // of the Result; "" unless Graded
}

// Conditions are what a result depends on besides the submission. Two gradings of one
// submission under the same conditions are expected to be the same: nothing is drawn by lot, the
// seeds of checks stand in the suites.
type Conditions struct {
	Suites    string   `json:"suites"`             // a content address of the course
	Toolchain string   `json:"toolchain"`          // "go1.26.8 linux/amd64"
	Grader    string   `json:"grader"`             // a content address of the code that grades
	Flags     []string `json:"flags,omitempty"`    // of the grading
	Extra     string   `json:"extra,omitempty"`    // a content address of the extra checks
	Chapters  []string `json:"chapters,omitempty"` // the IDs of those that are graded; none: all that are written
}

// Key is the content address of the result that a submission has under these conditions: 32
// hexadecimal digits.
func (c Conditions) Key(submission string) string {
	text, err := json.Marshal(struct {
		Submission string
		Conditions
	}{submission, c})
	if err != nil {
		panic(err) // there is nothing in it that JSON does not have
	}
	return digest(string(text), 32)
}

// A Result is the report on a submission, as it is kept.
type Result struct {
	Key      string                   `json:"key"`
	Report   *grade.Report            `json:"report"`
	OwnFails map[string][]grade.Check `json:"own_fails,omitempty"` // Chapter.OwnFails by the chapter's ID, which a report as JSON has not
}

// resultOf is the result in the form in which it is kept.
func resultOf(key string, report *grade.Report) Result {
	r := Result{Key: key, Report: report, OwnFails: map[string][]grade.Check{}}
	for _, ch := range report.Chapters {
		if len(ch.OwnFails) > 0 {
			r.OwnFails[ch.ID] = ch.OwnFails
		}
	}
	return r
}

// whole is the report with what its JSON has not.
func (r Result) whole() *grade.Report {
	for i := range r.Report.Chapters {
		ch := &r.Report.Chapters[i]
		ch.OwnFails = r.OwnFails[ch.ID]
	}
	return r.Report
}

// digest is the beginning of the SHA-256 of text, as hexadecimal digits.
func digest(text string, digits int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digits]
}

// A Shard is a part of a class. A student belongs to it by the hash of the name in the roster,
// and not by the line: whoever joins the class or leaves it moves nobody else.
type Shard struct {
	Number, Of int // Number is from 1 to Of. The zero Shard is the whole class.
}

// ParseShard reads "3/20".
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Number, &s.Of); n != 2 || err != nil || fmt.Sprintf("%d/%d", s.Number, s.Of) != text || s.Number < 1 || s.Number > s.Of {
		return Shard{}, errors.New("a shard is its number, from 1, and how many there are: 3/20 is the third of 20")
	}
	return s, nil
}

// Has reports whether a student is in the shard.
func (s Shard) Has(student string) bool {
	if s.Of == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(student))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.Of) == uint64(s.Number-1)
}
