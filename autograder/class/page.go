package class

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gosched/autograder/grade"
	"gosched/chapters/check"
	"gosched/chapters/webpage"
)

// PageFile is the page in the folder of a batch. It needs no network. It links to the evidence in
// the folder beside it.
const PageFile = "class.html"

//go:embed assets/class.css
var pageStyle string

//go:embed assets/class.js
var pageScript string

//go:embed assets/class.html
var pageText string

var pageBody = template.Must(template.New("").Parse(pageText))

// A pageData is what the page is made of. Everything in it is text, which the template escapes.
type pageData struct {
	Summary  []figure
	Broken   []Student // could not be graded
	NotBegun []Student // have no submission, or have written nothing in it

	Fails, FailsLess []failing // the most frequent first, and all others

	Students []studentOf // the lines of the table
	Chapters []Chapter
	Go       string
	Unfolded unfolded
}

// mostFailing is how many checks the page shows at once among those that fail.
const mostFailing = 15

// A figure is a number above the page.
type figure struct{ Value, Of string }

// A failing is a check that fails.
type failing struct {
	ID, Property string
	Count        int // students of whom it fails
	Percent      int // of those who are graded
	Messages     []said
}

// A said is the first line of a message.
type said struct {
	Text  string
	Count int
}

// A studentOf is a line of the table.
type studentOf struct {
	Student
	Index    int
	Percent  int
	Lateness string
	Marks    []string // what catches the eye beside the status
	Cells    []cell
}

// A cell is what a student has of a chapter.
type cell struct {
	Points  string // "" if there is no result
	Percent int
}

// An unfolded has what the page shows of a student when it is asked to, in a form that takes
// little room: a class has a hundred thousand checks.
type unfolded struct {
	Chapters []unfoldedChapter `json:"chapters"`
	Students []unfoldedStudent `json:"students"` // by index
	Words    map[string]string `json:"words"`    // by letter of a status
	Messages []string          `json:"messages"`
}

type unfoldedChapter struct {
	ID     string          `json:"id"`
	Number int             `json:"number,omitempty"` // 0 for that of extra checks
	Title  string          `json:"title"`
	Checks []unfoldedCheck `json:"checks"`
}

type unfoldedCheck struct {
	Name     string `json:"name"`
	Property string `json:"property"`
	Points   int    `json:"points"`
	Sum      bool   `json:"sum,omitempty"` // of all extra checks that are hidden: the student's has its score
}

type unfoldedStudent struct {
	Key      string      `json:"key,omitempty"`
	Chapters []string    `json:"chapters,omitempty"` // a letter for the status of each check
	Hidden   int         `json:"hidden"`             // the score of extra checks that are hidden
	Says     map[int]int `json:"says,omitempty"`     // which message, by number of the check in the course
	About    []string    `json:"about"`              // sentences
}

// letters are the statuses of checks on the page. Those of which there is no evidence come first.
var letters = []struct {
	status check.Status
	letter string
	word   string
}{
	{check.Pass, "p", "pass"}, {check.Todo, "t", "not started"},
	{check.Fail, "f", "fail"}, {check.Timeout, "h", "hang"}, {check.BuildError, "b", "not compiled"},
	{check.Refused, "r", "refused"}, {check.Blocked, "x", "not run"},
}

// page is the class as a web page.
func (c *Class) page() ([]byte, error) {
	p := pageData{Chapters: c.Chapters, Fails: c.failing(), Summary: c.figures(), Unfolded: unfolded{Words: map[string]string{}}}
	if len(p.Fails) > mostFailing {
		p.Fails, p.FailsLess = p.Fails[:mostFailing], p.Fails[mostFailing:]
	}
	for _, l := range letters {
		p.Unfolded.Words[l.letter] = l.word
	}
	u := unfolder{unfolded: &p.Unfolded, messages: map[string]int{}}
	for i, s := range c.Students {
		if s.Report != nil && p.Go == "" {
			p.Go = s.Report.Go
			u.course(s.Report)
		}
		p.Students = append(p.Students, s.onPage(i, c.Chapters))
		switch {
		case s.Status == InternalError:
			p.Broken = append(p.Broken, s)
		case s.Status == NoSubmission || s.Report != nil && !s.begun():
			p.NotBegun = append(p.NotBegun, s)
		}
	}
	for _, s := range c.Students { // when the course is known
		u.student(&s)
	}
	var body bytes.Buffer
	if err := pageBody.Execute(&body, p); err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err := webpage.Page{Title: "The class", Class: "class-page", Style: pageStyle, Script: pageScript, Body: body.String()}.Write(&page)
	return page.Bytes(), err
}

// figures are the numbers above the page. Those that are nothing to look at when they are 0 are
// left out then.
func (c *Class) figures() []figure {
	late, idle := 0, 0
	var points []int
	most := 0
	for _, s := range c.Students {
		if s.Late {
			late++
		}
		if s.Report == nil {
			continue
		}
		points, most = append(points, s.Report.Score), max(most, s.Report.MaxScore)
		if !s.begun() {
			idle++
		}
	}
	all := []figure{{fmt.Sprint(len(c.Students)), "students"}, {fmt.Sprint(c.Count(Graded)), "graded"}}
	for _, f := range []struct {
		n  int
		of string
	}{
		{c.Count(NoSubmission) + idle, "not begun"}, {late, "late"}, {c.Count(InternalError), "could not be graded"}, {c.Count(Missing), "missing"},
	} {
		if f.n > 0 {
			all = append(all, figure{fmt.Sprint(f.n), f.of})
		}
	}
	if len(points) > 0 {
		all = append(all, figure{fmt.Sprint(median(points)), fmt.Sprintf("of %d points, the median", most)})
	}
	return all
}

// median sorts the points and returns those in the middle.
func median(points []int) float64 {
	slices.Sort(points)
	return float64(points[(len(points)-1)/2]+points[len(points)/2]) / 2
}

// failing returns the checks that fail, those first that fail of most students. A chapter that
// does not compile counts as one, and so does one of which something was refused.
func (c *Class) failing() []failing {
	by := map[string]*failing{}
	messages := map[string]map[string]int{}
	add := func(id, property, message string) {
		key := id + " " + property
		if by[key] == nil {
			by[key], messages[key] = &failing{ID: id, Property: property}, map[string]int{}
		}
		by[key].Count++
		if first := grade.FirstLine(message); first != "" {
			messages[key][shorten(grade.Printable(first, 1000), 300)]++
		}
	}
	for _, s := range c.Students {
		if s.Report == nil {
			continue
		}
		for i := range s.Report.Chapters {
			ch := &s.Report.Chapters[i]
			if ch.Broken() {
				add(ch.ID, "The chapter compiles.", ch.Checks[0].Message)
				continue
			}
			refused := false
			for _, c := range ch.Failing() {
				switch {
				case c.Status == check.Refused && !refused:
					refused = true
					add(ch.ID, "Nothing of the chapter is refused.", c.Message)
				case c.Status != check.Refused && c.Status != check.Blocked:
					add(c.ID, c.Property, c.Message)
				}
			}
		}
	}
	var all []failing
	for key, f := range by {
		f.Percent = 100 * f.Count / c.Count(Graded)
		f.Messages = frequent(messages[key], 3)
		all = append(all, *f)
	}
	slices.SortFunc(all, func(a, b failing) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.ID, b.ID), strings.Compare(a.Property, b.Property))
	})
	return all
}

// frequent returns the most frequent texts, at most so many.
func frequent(counts map[string]int, most int) []said {
	var all []said
	for text, n := range counts {
		all = append(all, said{text, n})
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Text, b.Text)) })
	return all[:min(most, len(all))]
}

// shorten cuts text after so many bytes.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}

// onPage is line number i of the table.
func (s *Student) onPage(i int, chapters []Chapter) studentOf {
	line := studentOf{Student: *s, Index: i, Lateness: s.lateness(), Marks: s.marks()}
	by := map[string]grade.Chapter{}
	if s.Report != nil {
		line.Percent = percent(s.Report.Score, s.Report.MaxScore)
		for _, ch := range s.Report.Chapters {
			by[ch.ID] = ch
		}
	}
	for _, ch := range chapters {
		if got, ok := by[ch.ID]; ok {
			line.Cells = append(line.Cells, cell{fmt.Sprint(got.Score), percent(got.Score, got.MaxScore)})
		} else {
			line.Cells = append(line.Cells, cell{})
		}
	}
	return line
}

// marks are why a student may have few points for one reason.
func (s *Student) marks() (all []string) {
	if s.Late {
		all = append(all, "late")
	}
	if s.Report == nil {
		return all
	}
	refused, broken := false, false
	for i := range s.Report.Chapters {
		ch := &s.Report.Chapters[i]
		refused, broken = refused || ch.Count(check.Refused) > 0, broken || ch.Broken()
	}
	if refused {
		all = append(all, "refused")
	}
	if broken {
		all = append(all, "does not compile")
	}
	return all
}

func percent(n, of int) int {
	if of == 0 {
		return 0
	}
	return 100 * n / of
}

// Word is how the page calls the status.
func (s Status) Word() string {
	for _, w := range statusWords {
		if w.status == s {
			return w.words
		}
	}
	return string(s)
}

// An unfolder makes an unfolded.
type unfolder struct {
	*unfolded
	messages map[string]int // where they are
}

// course notes the chapters and their checks, as a report has them.
func (u *unfolder) course(report *grade.Report) {
	for _, ch := range report.Chapters {
		of := unfoldedChapter{ID: ch.ID, Number: numberOf(ch.ID), Title: ch.Title}
		for _, c := range ch.Checks {
			_, name, _ := strings.Cut(c.ID, "/")
			of.Checks = append(of.Checks, unfoldedCheck{name, c.Property, c.Points, isHidden(c.ID)})
		}
		u.Chapters = append(u.Chapters, of)
	}
}

// student adds a student. All reports have the same checks in the same order: they were made
// under the same conditions.
func (u *unfolder) student(s *Student) {
	of := unfoldedStudent{About: s.about()}
	if s.Report != nil {
		of.Key, of.Says = s.Key, map[int]int{}
		n := 0
		for _, ch := range s.Report.Chapters {
			statuses := ""
			for _, c := range ch.Checks {
				statuses += letter(c.Status)
				if isHidden(c.ID) {
					of.Hidden = c.Score
				}
				if c.Message != "" && c.Status != check.Todo {
					of.Says[n] = u.message(grade.Printable(c.Message, 1500))
				}
				n++
			}
			of.Chapters = append(of.Chapters, statuses)
		}
	}
	u.Students = append(u.Students, of)
}

// isHidden reports whether a check stands for all extra checks that are hidden.
func isHidden(id string) bool { return id == grade.ExtraID+"/"+grade.HiddenID }

// numberOf is the number of a chapter, 0 for that of extra checks.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "ch"))
	return n
}

// Head is how the table calls a chapter: "07".
func (c Chapter) Head() string { return strings.TrimPrefix(c.ID, "ch") }

// message returns the number of a message. Many students have the same.
func (u *unfolder) message(text string) int {
	at, ok := u.messages[text]
	if !ok {
		at = len(u.Messages)
		u.messages[text] = at
		u.Messages = append(u.Messages, text)
	}
	return at
}

func letter(status check.Status) string {
	for _, l := range letters {
		if l.status == status {
			return l.letter
		}
	}
	return "x"
}

// about says in sentences what was found at the source.
func (s *Student) about() []string {
	var all []string
	if s.Message != "" {
		all = append(all, s.Message+".")
	}
	if s.Commit != "" {
		all = append(all, fmt.Sprintf("Commit %s of %s.", s.Commit, date(s.Time)))
	}
	if s.Late && s.InTime != "" {
		all = append(all, fmt.Sprintf("It is late: due was %s. The last commit in time is %s.", date(s.Due), s.InTime))
	} else if s.Late {
		all = append(all, fmt.Sprintf("It is late: due was %s. No commit was in time.", date(s.Due)))
	}
	if s.Report != nil && s.Report.Submission != nil {
		all = append(all, notTaken(s.Report.Submission)...)
	}
	return append(all, "Source: "+s.Source)
}

// maxNamed is how many files are named that were not taken; the result has all of them.
const maxNamed = 20

// notTaken says what of a submission was refused, and what was ignored.
func notTaken(s *grade.Submission) (all []string) {
	var refused []string
	for _, f := range s.Findings {
		refused = append(refused, f.String())
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"Refused: ", refused}, {"Ignored: ", s.Ignored}} {
		if len(list.names) == 0 {
			continue
		}
		text := list.what + shorten(strings.Join(list.names[:min(maxNamed, len(list.names))], "; "), 3000)
		if more := len(list.names) - maxNamed; more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}
		all = append(all, text)
	}
	return all
}
