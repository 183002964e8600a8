package grade

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/check"
)

// An element of JUnit XML, by the rules of junit-10.xsd of jenkinsci/xunit-plugin, as far as we
// use them.
type junitElement struct {
	required, optional []string // attributes
	children           []string
	text               bool
}

var junitRules = map[string]junitElement{
	"":           {children: []string{"testsuites"}},
	"testsuites": {optional: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
	"testsuite": {required: []string{"name", "tests", "failures", "errors"}, optional: []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"}},
	"properties": {children: []string{"property"}},
	"property":   {required: []string{"name", "value"}},
	"testcase": {required: []string{"name"}, optional: []string{"time", "classname", "group"},
		children: []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"skipped": {optional: []string{"type", "message"}, text: true},
	"error":   {optional: []string{"type", "message"}, text: true},
	"failure": {optional: []string{"type", "message"}, text: true},
}

// surefireTime is the xsd's SUREFIRE_TIME.
var surefireTime = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)

// junitErrors says what is wrong with a document by the rules, and counts its elements.
func junitErrors(text string) (wrong []string, count map[string]int) {
	count = map[string]int{}
	dec := xml.NewDecoder(strings.NewReader(text))
	stack := []string{""}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return wrong, count
		}
		if err != nil {
			return append(wrong, err.Error()), count
		}
		rule := junitRules[stack[len(stack)-1]]
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			count[name]++
			if !slices.Contains(rule.children, name) {
				wrong = append(wrong, name+" in "+stack[len(stack)-1])
			}
			stack = append(stack, name)
			rule := junitRules[name]
			for _, a := range token.Attr {
				if !slices.Contains(slices.Concat(rule.required, rule.optional), a.Name.Local) {
					wrong = append(wrong, name+" has "+a.Name.Local)
				}
				if a.Name.Local == "time" && !surefireTime.MatchString(a.Value) {
					wrong = append(wrong, "time is "+a.Value)
				}
			}
			for _, required := range rule.required {
				if !slices.ContainsFunc(token.Attr, func(a xml.Attr) bool { return a.Name.Local == required }) {
					wrong = append(wrong, name+" lacks "+required)
				}
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if !rule.text && strings.TrimSpace(string(token)) != "" {
				wrong = append(wrong, "text in "+stack[len(stack)-1])
			}
		case xml.Comment, xml.Directive:
			wrong = append(wrong, "a comment or directive")
		}
	}
}

// checkJUnit: the document follows the rules, and says of each check what the report says.
func checkJUnit(t *testing.T, r *Report, text string) {
	t.Helper()
	wrong, count := junitErrors(text)
	assert.Empty(t, wrong, "%s", text)
	assert.Equal(t, len(r.Chapters), count["testsuite"])

	var read junitReport
	require.NoError(t, xml.Unmarshal([]byte(text), &read))
	for i := range r.Chapters {
		ch, suite := &r.Chapters[i], read.Suites[i]
		require.Len(t, suite.Cases, len(ch.Checks))
		failures, errors, skipped := 0, 0, 0
		for j := range ch.Checks {
			c, one := &ch.Checks[j], suite.Cases[j]
			assert.Equal(t, c.Name, one.Name)
			var why *junitOutcome
			switch c.Status {
			case check.Fail, check.Timeout, check.Refused:
				why = one.Failure
				failures++
			case check.BuildError, check.InternalError:
				why = one.Error
				errors++
			case check.Todo, check.Blocked:
				why = one.Skipped
				skipped++
			default:
				assert.Equal(t, junitCase{Name: one.Name, Class: ch.ID, Time: one.Time}, one, "it passes")
				continue
			}
			if assert.NotNil(t, why, c.Status) {
				assert.Equal(t, string(c.Status), why.Type)
				assert.Equal(t, c.told(junitText), why.Text)
			}
		}
		assert.Equal(t, []int{len(ch.Checks), failures, errors, skipped}, []int{suite.Tests, suite.Failures, suite.Errors, suite.Skipped})
	}
}

func TestJUnit(t *testing.T) {
	text := write(t, saying("m").WriteJUnit)
	_, count := junitErrors(text)
	assert.Equal(t, map[string]int{"testsuites": 1, "testsuite": 2, "properties": 2, "property": 8, "testcase": 9, "failure": 3, "error": 3, "skipped": 2}, count)
	assert.True(t, strings.HasPrefix(text, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gosched exercises" time="9.872" tests="9" failures="3" errors="3">
  <testsuite name="ch01 One" tests="8" failures="3" errors="2" skipped="2" time="9.872">
    <properties>
      <property name="score" value="1"></property>`), text)
	assert.Contains(t, text, `<testcase name="todo" classname="ch01" time="1.234">
      <skipped type="todo" message="not started: m">not started: m</skipped>
    </testcase>`)
	assert.Contains(t, text, `<testcase name="a" classname="ch02">`, "nobody knows how long it took")

	for _, wrong := range []string{
		`<testsuites><testcase name="x"/></testsuites>`,
		`<testsuites><testsuite name="x" tests="0" failures="0"/></testsuites>`,
		`<testsuites time="1s"/>`,
		`<testsuites skipped="1"/>`,
		`<testsuites>x</testsuites>`,
		"<testsuites name='\x01'/>",
	} {
		errors, _ := junitErrors(wrong)
		assert.NotEmpty(t, errors, wrong)
	}
}
