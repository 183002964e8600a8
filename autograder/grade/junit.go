package grade

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"gosched/chapters/check"
)

// JUnit's XML has no standard. What is written here is what Jenkins and Maven's Surefire agree
// on: src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd of
// jenkinsci/xunit-plugin. A chapter is a suite.
type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Time     string       `xml:"time,attr,omitempty"` // seconds
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr,omitempty"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

// A junitOutcome is why a test does not pass.
type junitOutcome struct {
	Type    string `xml:"type,attr"` // the check's status
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Bytes of what is said of a check: in all, and in the line that lists show.
const (
	junitText = 64 << 10
	junitLine = 1 << 10
)

// WriteJUnit writes the report as JUnit XML. A check that fails or hangs is a failure; one that
// does not compile, or that the grading failed to judge, is an error; one that is not written
// yet or was not run is skipped. JUnit has no points: they are properties of the suites.
func (r *Report) WriteJUnit(w io.Writer) error {
	r = r.Shown()
	all := junitReport{Name: "gosched " + r.Of}
	var took time.Duration
	for i := range r.Chapters {
		ch := &r.Chapters[i]
		suite := junitSuite{Name: ch.ID + " " + ch.Title, Tests: len(ch.Checks), Properties: []junitProperty{
			{"score", fmt.Sprint(ch.Score)}, {"max_score", fmt.Sprint(ch.MaxScore)}, {"ungraded", fmt.Sprint(ch.Ungraded)},
		}}
		if ch.OwnStack != "" {
			suite.Properties = append(suite.Properties, junitProperty{"own_stack", ch.OwnStack})
		}
		var suiteTook time.Duration
		for j := range ch.Checks {
			c := &ch.Checks[j]
			suite.add(c, ch.ID)
			suiteTook += c.Took
		}
		suite.Time = seconds(suiteTook)
		took += suiteTook
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	all.Time = seconds(took)
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	// As in writeJSON, no command of a log; here, too, what is replaced can only be text.
	_, err = io.WriteString(w, xml.Header+strings.ReplaceAll(string(text), "##[", "##&#91;")+"\n")
	return err
}

// add adds the case of a check.
func (s *junitSuite) add(c *Check, class string) {
	one := junitCase{Name: c.name(), Class: class, Time: seconds(c.Took)}
	text := c.told(junitText)
	why := &junitOutcome{Type: string(c.Status), Message: Printable(FirstLine(text), junitLine), Text: text}
	switch c.Status {
	case check.Pass:
	case check.Todo, check.Blocked:
		one.Skipped = why
		s.Skipped++
	case check.BuildError, check.InternalError:
		one.Error = why
		s.Errors++
	default:
		one.Failure = why
		s.Failures++
	}
	s.Cases = append(s.Cases, one)
}

// seconds is a duration as JUnit has it, "" if it is not known.
func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", d.Seconds())
}
