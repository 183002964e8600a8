package class

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Row is what the roster says of a student.
type Row struct {
	Student string    `json:"student"`          // unique in the roster, whatever the case of its letters
	Name    string    `json:"name,omitempty"`   // for people
	Source  string    `json:"source"`           // a folder, or a repository, as the roster has it
	Ref     string    `json:"commit,omitempty"` // a commit, a branch or a tag; "": the folder as it is, or the repository's default branch
	Due     time.Time `json:"due,omitzero"`     // the zero time: there is no date

	// What a Bringing has found out. If Committed is set, the source is a folder with the files
	// of the commit Ref; if Absent is, there is nothing at the source, for that reason.
	Committed time.Time `json:"committed,omitzero"`
	InTime    string    `json:"roster_in_time,omitempty"` // Submission.InTime
	Absent    string    `json:"absent,omitempty"`
}

// same reports whether two lines of a roster ask for the same.
func (r Row) same(other Row) bool {
	times := r.Due.Equal(other.Due) && r.Committed.Equal(other.Committed)
	r.Due, r.Committed = other.Due, other.Committed
	return times && r == other
}

// ID names the student in paths.
func (r Row) ID() string { return digest(r.Student, 16) }

// Git reports whether the source is a repository from which a commit is fetched, and not a
// folder that is taken as it is.
func (r Row) Git() bool {
	return r.Committed.IsZero() && (r.Ref != "" || strings.Contains(r.Source, "://"))
}

// columns are those that a roster may have, in any order; the first two it must have. Those after
// due are written by a Bringing.
var columns = []string{"student", "source", "name", "commit", "due", "committed", "in_time", "absent"}

const (
	maxStudents = 100_000
	maxField    = 1000 // bytes
)

// ReadRoster reads a roster in CSV. Its first line names the columns: student and source, and
// if wanted name, commit and due, a time as in 2026-03-01T23:59:59+01:00. A source is a folder
// or the URL of a repository: https://… or file:///…. With a commit, a folder is a repository,
// too. The error has a line for everything that is wrong, with its number in the file.
func ReadRoster(from io.Reader) ([]Row, error) {
	lines := csv.NewReader(from)
	lines.FieldsPerRecord = -1 // said below, in words for people
	head, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("line 1: the roster is empty; its first line names the columns: student,source")
	}
	if err != nil {
		return nil, csvError(err)
	}
	head[0] = strings.TrimPrefix(head[0], "\ufeff") // spreadsheets put it there
	at, err := readHead(head)
	if err != nil {
		return nil, err
	}
	r := rosterReader{at: at, seen: map[string]int{}}
	var rows []Row
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			r.wrong = append(r.wrong, csvError(err)) // the rest cannot be trusted
			break
		}
		r.line, _ = lines.FieldPos(0)
		if len(fields) != len(head) {
			r.wrongf("it has %s, and the first line names %d", count(len(fields), "column"), len(head))
			continue
		}
		rows = append(rows, r.row(fields))
	}
	if len(rows) == 0 && r.wrong == nil {
		r.wrong = append(r.wrong, errors.New("line 1: the roster has no students"))
	}
	if len(rows) > maxStudents {
		r.wrong = append(r.wrong, fmt.Errorf("the roster has %d students; %d are possible", len(rows), maxStudents))
	}
	return rows, errors.Join(r.wrong...)
}

// csvError is an error of package csv with the line first, as all others have it.
func csvError(err error) error {
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Errorf("line %d: %w", wrong.Line, wrong.Err)
	}
	return err
}

// readHead returns where the columns are.
func readHead(head []string) (at map[string]int, err error) {
	at = map[string]int{}
	for i, name := range head {
		name = strings.ToLower(strings.TrimSpace(name))
		if !slices.Contains(columns, name) {
			return nil, fmt.Errorf("line 1: there is no column %q; there are %s, with commas between them", name, strings.Join(columns[:5], ", "))
		}
		if _, twice := at[name]; twice {
			return nil, fmt.Errorf("line 1: the column %s is there twice", name)
		}
		at[name] = i
	}
	for _, name := range columns[:2] {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("line 1: the column %s is missing", name)
		}
	}
	return at, nil
}

// A rosterReader reads the lines of a roster below the first.
type rosterReader struct {
	at    map[string]int // where the columns are
	seen  map[string]int // the lines of the students, their names in lower case
	line  int
	wrong []error
}

func (r *rosterReader) wrongf(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Errorf("line %d: %s", r.line, fmt.Sprintf(format, args...)))
}

// row reads one line.
func (r *rosterReader) row(fields []string) Row {
	field := func(column string) string {
		i, ok := r.at[column]
		if !ok {
			return ""
		}
		text := strings.TrimSpace(fields[i])
		switch {
		case len(text) > maxField:
			r.wrongf("the column %s has %d bytes; %d are possible", column, len(text), maxField)
		case !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }):
			r.wrongf("the column %s has something invisible in it: %q", column, text)
		}
		return text
	}
	row := Row{Student: field("student"), Name: field("name"), Source: field("source"), Ref: field("commit"), InTime: field("in_time"), Absent: field("absent")}
	folded := strings.ToLower(row.Student)
	if before, twice := r.seen[folded]; row.Student == "" {
		r.wrongf("the student has no name")
	} else if twice {
		r.wrongf("the student %s is in line %d already", row.Student, before)
	} else {
		r.seen[folded] = r.line
	}
	if err := checkSource(row.Source); err != nil {
		r.wrongf("%v", err)
	}
	if row.Ref != "" && !validRef(row.Ref) {
		r.wrongf("%q is neither a commit nor the name of a branch or tag", row.Ref)
	}
	for column, to := range map[string]*time.Time{"due": &row.Due, "committed": &row.Committed} {
		if text := field(column); text != "" {
			var err error
			if *to, err = time.Parse(time.RFC3339, text); err != nil {
				r.wrongf("the date %q is not written as in 2026-03-01T23:59:59+01:00", text)
			}
		}
	}
	return row
}

// scpLike is git's short form of ssh://git@host/path.
var scpLike = regexp.MustCompile(`^[\w.-]+@[\w.-]+:`)

// checkSource refuses what is neither a folder nor a repository that may be fetched.
func checkSource(source string) error {
	switch {
	case source == "":
		return errors.New("there is no source")
	case strings.HasPrefix(source, "-"):
		return fmt.Errorf("the source %q would be taken for a flag; write ./%s", source, source)
	case scpLike.MatchString(source):
		return fmt.Errorf("the source %q: %s", source, noCredentials)
	case strings.Contains(source, "://"):
		return checkURL(source)
	case strings.Contains(source, "::"):
		return fmt.Errorf("the source %q would run a program of git's; there are folders, https:// and file:///", source)
	}
	return nil
}

const noCredentials = "a batch has no credentials; clone it with yours, and name the folder"

// checkURL allows addresses from which fetching needs no credentials, and on the way to which
// nobody else can answer.
func checkURL(source string) error {
	u, err := url.Parse(source)
	switch {
	case err != nil:
		return fmt.Errorf("the source %q is not a URL", source)
	case u.Scheme == "ssh" || u.User != nil:
		return fmt.Errorf("the source %q: %s", u.Redacted(), noCredentials)
	case u.Scheme == "https" && u.Host != "" && u.Path != "" || u.Scheme == "file" && u.Host == "" && u.Path != "":
		return nil
	}
	return fmt.Errorf("the source %q: a repository has an address that begins with https:// or file:///", source)
}

// validRef reports whether text can name a commit, and nothing else on a command line of git's.
func validRef(text string) bool {
	return !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") && !strings.Contains(text, "..") &&
		!strings.ContainsAny(text, " ~^:?*[\\")
}

// count is a number with a noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
