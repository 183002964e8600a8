package grade

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"gosched/autograder/policy"
	"gosched/chapters/check"
)

// hostile is what code that is graded may say to turn one of the forms.
var hostile = []string{
	"",
	"\n\n\n",
	"::error file=a.go::forged",
	"x\n::set-output name=score::100\n  ::add-mask::e",
	"x\r::stop-commands::e\r\n\t::error::y",
	"x\u2028::error::y\u00a0::error::z\u0085::warning::w",
	"%0A::error::forged%0D%25",
	"::",
	"x ##[set-output name=score;]100 ##[group]y\n##[error]z",
	"```\n# A title\n[a](javascript:alert(1))\n```text",
	"~~~\n</pre></code><script>alert(1)</script>\n<!-- -->",
	"x\r\r```\r\r<img src=x onerror=alert(1)>",
	"| a | b |\n|--|--|\n**bold** ![x](https://example.com/x.png) @everyone #1",
	"<details open><summary>100 of 100 points</summary>",
	"]]></failure></testcase><testcase name=\"forged\"/><![CDATA[",
	"\"/><error message='x'>&lt;&#0;&entity;<!DOCTYPE x>",
	"\x00\x01\x07\x08\x0b\x0c\x1b[2J\x1b]0;title\x07\x7f\u0085\u009b31m",
	"\ufffe\uffff\ufffd\U0001fffe",
	"\u202e\u2066abc\u2069\u200b\ufeff\u00ad",
	"\xff\xfe\xc0\xaf\xed\xa0\x80 tail \xf4\x90\x80\x80",
	"=1+1\n+1\n-1\n@SUM(A1)\n\t=cmd|'/c calc'!A0",
	"{\"score\": 100}\\u0000\\",
	strings.Repeat("`", 500),
	strings.Repeat("é", 3000),
}

// saying is a report whose messages and evidence are this text, in each status: of checks, of a
// chapter that does not compile, and of the student's own stack.
func saying(text string, statuses ...check.Status) *Report {
	if statuses == nil {
		for _, w := range StatusWords {
			statuses = append(statuses, w.Status)
		}
	}
	first := Chapter{ID: "ch01", Dir: "ch01_one", Title: "One", OwnStack: OwnFail}
	for i, s := range statuses {
		c := Check{
			ID: "ch01/" + strings.ReplaceAll(string(s), "_", "-"), Name: strings.ReplaceAll(string(s), "_", "-"), Kind: check.Unit, Points: i + 1,
			Status: s, Property: "It holds.", Hint: "Look.", Took: 1234 * time.Millisecond,
		}
		if s != check.Pass {
			c.Message, c.Evidence = text, text
		}
		first.Checks = append(first.Checks, c)
	}
	first.OwnFails = []Check{{ID: "ch01/pass", Name: "pass", Kind: check.Unit, Status: check.Fail, Property: "It holds.", Message: text}}
	second := Chapter{ID: "ch02", Dir: "ch02_two", Title: "Two", OwnStack: OwnNA, Checks: []Check{
		{ID: "ch02/a", Name: "a", Kind: check.Model, Points: 3, Status: check.BuildError, Property: "It holds.", Message: text, Evidence: text, Replay: "1:ab"},
	}}
	r := &Report{Schema: Schema, Of: Exercises, Go: "go1.26.8", Chapters: []Chapter{first, second}}
	r.add()
	return r
}

// judged are the statuses that checks have in a report that is Whole.
var judged = []check.Status{check.Pass, check.Fail, check.Timeout, check.BuildError, check.Refused, check.Blocked, check.Todo}

// of50 is a submission of Classroom 50.
var of50 = Classroom50{
	Classroom: "cs", Assignment: "gosched", Type: "individual", Owner: "ann", Submission: "submit/2026-06-01T14-32-05Z-a1b2c3d",
	Commit: "https://example.com/c", Release: "https://example.com/r", Review: "https://example.com/v", Time: time.Date(2026, 6, 1, 16, 32, 5, 0, time.FixedZone("", 7200)),
}

// write is what a form writes.
func write(t testing.TB, form func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, form(&b))
	return b.String()
}

// A schema is read from a file; with closed, an object may only have the members that it names.
func schema(t testing.TB, name string, closed bool) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err, name)
	if closed {
		closeObjects(doc)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource(name, doc))
	s, err := c.Compile(name)
	require.NoError(t, err)
	return s
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// valid checks JSON against a schema.
func valid(t testing.TB, s *jsonschema.Schema, text string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	assert.NoError(t, s.Validate(v))
}

// The published schema is valid itself, names all members and all statuses, and finds mistakes.
func TestSchema(t *testing.T) {
	s := schema(t, "result.schema.json", true)
	text := write(t, saying("m").WriteJSON)
	valid(t, s, text)
	of := saying("m")
	of.Submission = &Submission{Sum: "ab", Taken: []string{"exercises/ch01_one/one.go"}, Findings: []policy.Finding{{File: "exercises/ch01_one/one.go", Line: 3, What: "it imports \"os\"", Instead: "do without it"}}}
	valid(t, s, write(t, of.WriteJSON))
	for _, wrong := range [][2]string{
		{`"status": "fail"`, `"status": "failed"`},
		{`"score": 1,`, `"score": -1,`},
		{`"gosched/result/v1"`, `"gosched/result/v2"`},
		{`"own_stack": "fail"`, `"own_stack": ""`},
		{`"id": "ch01/timeout"`, `"id": "timeout"`},
		{`"ungraded": 7,`, ``},
		{`"hint": "Look.",`, `"hint": "Look.", "hnit": "",`},
		{`"score": 0,`, `"score": 2,`},
	} {
		require.Contains(t, text, wrong[0])
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.ReplaceAll(text, wrong[0], wrong[1])))
		require.NoError(t, err)
		assert.Error(t, s.Validate(v), "%s for %s", wrong[1], wrong[0])
	}

	var doc struct {
		Properties map[string]any
		Required   []string
		Defs       map[string]struct {
			Properties map[string]struct{ Enum []string }
			Required   []string
		} `json:"$defs"`
	}
	file, err := os.ReadFile("result.schema.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, &doc))
	for name, members := range map[string]struct{ has, required []string }{
		"Report":  {keys(doc.Properties), doc.Required},
		"Chapter": {keys(doc.Defs["chapter"].Properties), doc.Defs["chapter"].Required},
		"Check":   {keys(doc.Defs["check"].Properties), doc.Defs["check"].Required},

		"Extra":      {keys(doc.Defs["extra"].Properties), doc.Defs["extra"].Required},
		"Submission": {keys(doc.Defs["submission"].Properties), doc.Defs["submission"].Required},
		"Finding":    {keys(doc.Defs["finding"].Properties), doc.Defs["finding"].Required},
	} {
		all, required := membersOf(map[string]reflect.Type{
			"Report": reflect.TypeFor[Report](), "Chapter": reflect.TypeFor[Chapter](), "Check": reflect.TypeFor[Check](),
			"Extra": reflect.TypeFor[Extra](), "Submission": reflect.TypeFor[Submission](), "Finding": reflect.TypeFor[policy.Finding](),
		}[name])
		assert.ElementsMatch(t, all, members.has, "result.schema.json describes the members of %s", name)
		assert.ElementsMatch(t, required, members.required, "result.schema.json requires those of %s that are always written", name)
	}
	var statuses []string
	for _, w := range StatusWords {
		statuses = append(statuses, string(w.Status))
	}
	assert.ElementsMatch(t, statuses, doc.Defs["check"].Properties["status"].Enum)
}

func keys[V any](m map[string]V) (all []string) {
	for name := range m {
		all = append(all, name)
	}
	return all
}

// membersOf are the members that a struct has as JSON, and those that it always has.
func membersOf(t reflect.Type) (all, required []string) {
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if all = append(all, name); options != "omitempty" {
			required = append(required, name)
		}
	}
	return all, required
}

// Whatever the graded code says, each form is what its readers expect, and shows the text as
// text. The seeds are run by go test.
func FuzzForms(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	own, gradescope, classroom := schema(f, "result.schema.json", true), schema(f, "testdata/gradescope.schema.json", false), schema(f, "testdata/classroom50.schema.json", false)
	f.Fuzz(func(t *testing.T, text string) {
		r, whole := saying(text), saying(text, judged...)

		result := write(t, r.WriteJSON)
		valid(t, own, result)
		var read Report
		require.NoError(t, json.Unmarshal([]byte(result), &read))
		assert.Equal(t, strings.ToValidUTF8(text, "\ufffd"), merge(read.Chapters[0].Checks[1].Message))

		scope := write(t, whole.WriteGradescope)
		valid(t, gradescope, scope)
		assert.Empty(t, regexp.MustCompile(`"(?:\w+_)?format": "(?:[^t]|t[^e])[^"]*"`).FindAllString(scope, -1), "all is text")

		result50 := write(t, func(w io.Writer) error { return whole.WriteClassroom50(w, of50) })
		valid(t, classroom, result50)

		junit := write(t, r.WriteJUnit)
		checkJUnit(t, r, junit)

		annotations := write(t, func(w io.Writer) error { return r.WriteAnnotations(w, t.TempDir()) })
		checkAnnotations(t, r, annotations)

		summary := write(t, func(w io.Writer) error { return r.WriteMarkdown(w, MaxSummary) })
		checkMarkdown(t, text, summary)

		for name, out := range map[string]string{"json": result, "gradescope": scope, "classroom50": result50, "junit": junit, "summary": summary} {
			assert.True(t, utf8.ValidString(out), name)
			assert.Empty(t, commands(out), "%s obeyed by a log of GitHub Actions", name)
		}
		shown := Printable(text, 1<<20)
		assert.Equal(t, shown, Printable(shown, 2<<20), "what is printable stays as it is")
		assert.NotRegexp(t, `[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{ad}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}\x{fffe}\x{ffff}]`, shown)
		assert.Empty(t, commands(Inert(shown)))
	})
}

// merge makes several replaced bytes in a row one, as strings.ToValidUTF8 does.
func merge(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\ufffd", "\xff"), "\ufffd")
}

// A command is what a runner of GitHub Actions takes from a line of a log.
type command struct{ name, properties, data string }

// commands reads a log as ActionCommand.cs of actions/runner does, except that it takes any name
// for that of a command.
func commands(log string) (all []command) {
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(strings.TrimLeft(line, " \t\n\v\f\r\u0085\u00a0\u2028\u2029"), "\n")
		if rest, ok := strings.CutPrefix(line, "::"); ok {
			if head, data, ok := strings.Cut(rest, "::"); ok {
				name, properties, _ := strings.Cut(head, " ")
				all = append(all, command{name, properties, data})
				continue
			}
		}
		if _, rest, ok := strings.Cut(line, "##["); ok {
			if head, data, ok := strings.Cut(rest, "]"); ok {
				all = append(all, command{"##[" + head, "", data})
			}
		}
	}
	return all
}

// checkAnnotations: as many commands as there are remarks, each with the text of its own.
func checkAnnotations(t *testing.T, r *Report, log string) {
	t.Helper()
	got := commands(log)
	shown, _ := r.annotated()
	require.Len(t, got, len(shown), "%q", log)
	unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n")
	for i, m := range shown {
		assert.Equal(t, m.level, got[i].name)
		assert.Contains(t, got[i].properties, "title=chapter "+m.chapter.number()+"%3A "+strings.ReplaceAll(m.check.Name, ",", "%2C"))
		assert.True(t, strings.HasSuffix(unescape.Replace(got[i].data), strings.TrimSpace(Printable(m.check.Message, annotationText))), "%q", got[i].data)
	}
	for line := range strings.Lines(log) {
		assert.NotContains(t, line, "\r")
		assert.True(t, strings.HasPrefix(line, "::") || strings.HasPrefix(line, "GitHub shows"), line)
	}
}

// checkMarkdown: as a page, the summary of hostile text has the elements that it has for any
// other text; only what is in its blocks of code differs.
func checkMarkdown(t *testing.T, text, summary string) {
	t.Helper()
	blocks := regexp.MustCompile(`(?s)<pre><code class="language-text">(.*?)</code></pre>`)
	page := func(markdown string) string {
		var b bytes.Buffer
		require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert([]byte(markdown), &b))
		return b.String()
	}
	plain := write(t, func(w io.Writer) error { return saying("plain").WriteMarkdown(w, MaxSummary) })
	got := page(summary)
	assert.Empty(t, cmp.Diff(blocks.ReplaceAllString(page(plain), "…"), blocks.ReplaceAllString(got, "…")), "%q", text)
	for _, block := range blocks.FindAllStringSubmatch(got, -1) {
		assert.NotContains(t, block[1], "<")
	}
}

// Ten megabytes of text: every form but JSON, which has all of it, is short.
func TestHugeText(t *testing.T) {
	huge := func(unit string) string { return strings.Repeat(unit, 10_000_000/len(unit)+1) }
	for _, unit := range []string{"x", "`", "\n", "\x1b", "\xff", "::error::x\n", "é\u202e", "##[", "%", "<&\"'>"} {
		text := huge(unit)
		r, whole := saying(text), saying(text, judged...)
		annotations := write(t, func(w io.Writer) error { return r.WriteAnnotations(w, t.TempDir()) })
		checkAnnotations(t, r, annotations)
		for name, out := range map[string]string{
			"annotations": annotations,
			"summary":     write(t, func(w io.Writer) error { return r.WriteMarkdown(w, MaxSummary) }),
			"junit":       write(t, r.WriteJUnit),
			"gradescope":  write(t, whole.WriteGradescope),
			"classroom50": write(t, func(w io.Writer) error { return whole.WriteClassroom50(w, of50) }),
		} {
			assert.Less(t, len(out), 3<<20, "%s of %q", name, unit)
			assert.True(t, strings.Contains(out, " more bytes)"), "%s of %q says what is missing", name, unit)
		}
	}
	text := huge("##[x\x1b\n")
	r := &Report{Chapters: []Chapter{{Checks: []Check{{Message: text}}}}}
	var read Report
	require.NoError(t, json.Unmarshal([]byte(write(t, r.WriteJSON)), &read))
	assert.True(t, read.Chapters[0].Checks[0].Message == text, "JSON has all of it")
}

// The summary is never longer than there is room for, names what it leaves out, and GitHub is
// given no more annotations than it shows.
func TestLimits(t *testing.T) {
	r := &Report{Of: Exercises, Go: "go1.26.8"}
	for i := range 19 {
		ch := Chapter{ID: fmt.Sprintf("ch%02d", i+1), Dir: "d", Title: fmt.Sprintf("Chapter %d", i+1), OwnStack: OwnNA}
		for j := range 12 {
			status := check.Fail
			if j == 11 {
				status = check.Blocked
			}
			name := fmt.Sprintf("check-%d", j)
			ch.Checks = append(ch.Checks, Check{ID: ch.ID + "/" + name, Name: name, Points: 1, Status: status, Message: strings.Repeat("y", summaryText+9)})
		}
		r.Chapters = append(r.Chapters, ch)
	}
	r.add()
	got := write(t, func(w io.Writer) error { return r.WriteAnnotations(w, "") })
	assert.Equal(t, 10, strings.Count(got, "::error "))
	assert.Equal(t, 10, strings.Count(got, "::warning "))
	assert.True(t, strings.HasSuffix(got, "\nGitHub shows 10 errors and 10 warnings of a step as annotations; 208 more are in the summary.\n"))

	for _, limit := range []int{MaxSummary, MaxSummary / 2, 100_000, 50_000, 5_000} {
		text := write(t, func(w io.Writer) error { return r.WriteMarkdown(w, limit) })
		assert.LessOrEqual(t, len(text), limit)
		if limit > 50_000 {
			assert.Greater(t, len(text), limit-summaryText-2_000, "there is room for more")
		}
		in := strings.Count(text, "\n**check-")
		assert.Contains(t, text, fmt.Sprintf("The messages of %d failures are not here", 19*12-in))
		assert.Contains(t, text, "208 more are only here.")
		assert.True(t, strings.HasSuffix(text, "\nGraded with go1.26.8.\n"))
	}
	var b bytes.Buffer
	assert.ErrorContains(t, r.WriteMarkdown(&b, 500), "the summary of this step has room for 500 bytes, and needs ")
	assert.ErrorContains(t, r.WriteMarkdown(&b, -1), "room for 0 bytes")
	assert.Empty(t, b.String())
}

// That the grading itself failed is said by all forms, and never as 0 points.
func TestUngradedReport(t *testing.T) {
	r := saying("broken pipe")
	require.Equal(t, 7, r.Ungraded)
	const said = "the grading itself failed, which is no fault of the submission: nobody knows about 7 points, for ch01/internal-error"
	assert.EqualError(t, r.Whole(), said)
	assert.NoError(t, saying("", judged...).Whole())

	var b bytes.Buffer
	assert.EqualError(t, r.WriteGradescope(&b), said)
	assert.EqualError(t, r.WriteClassroom50(&b, of50), said)
	assert.Empty(t, b.String(), "a file with 0 points for it would be a lie")

	assert.Contains(t, write(t, r.WriteJSON), "\n  \"ungraded\": 7,\n")
	summary := write(t, func(w io.Writer) error { return r.WriteMarkdown(w, MaxSummary) })
	assert.True(t, strings.HasPrefix(summary, "## No score: 1 of 39 points, and 7 that could not be graded\n\n**The grading itself failed"), summary)
	annotations := write(t, func(w io.Writer) error { return r.WriteAnnotations(w, "") })
	first, _, _ := strings.Cut(annotations, "\n")
	assert.Equal(t, "::error title=chapter 1%3A internal-error::the grading itself failed, which is no fault of the submission: broken pipe", first)
	assert.Contains(t, write(t, r.WriteJUnit), `<error type="internal_error" message="the grading itself failed, which is no fault of the submission: broken pipe">`)

	many := &Ungraded{Points: 12}
	for i := range 12 {
		many.Checks = append(many.Checks, fmt.Sprintf("ch01/c%d", i))
	}
	assert.True(t, strings.HasSuffix(many.Error(), "ch01/c9 and 2 more"), many.Error())
	shown := &Report{Chapters: []Chapter{{ID: "ch01", Checks: []Check{{Kind: check.Bench, Status: check.InternalError}}}}}
	shown.add()
	assert.NoError(t, shown.Whole(), "a check that gives no points")
}

// What Gradescope and Classroom 50 show of each status.
func TestResultsOfCourseware(t *testing.T) {
	r := saying("m", judged...)
	var scope struct {
		Score  int
		Output string
		Tests  []struct {
			Name, Number, Status, Output string
			Score, MaxScore              int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(write(t, r.WriteGradescope)), &scope))
	assert.Equal(t, 1, scope.Score)
	assert.Equal(t, "1 of 31 points, graded with go1.26.8.\n\n1. One: 1 of 28 points; own stack: fail\n2. Two: 0 of 3 points; own stack: n/a\n", scope.Output)
	var got []string
	for _, test := range scope.Tests {
		got = append(got, fmt.Sprintf("%s %s %s %d: %q", test.Number, test.Name, test.Status, test.Score, test.Output))
	}
	assert.Equal(t, []string{
		`1.1 One: pass passed 1: "It holds."`,
		`1.2 One: fail failed 0: "It holds.\n\nm\n\nHint: Look."`,
		`1.3 One: timeout failed 0: "It holds.\n\nm\n\nHint: Look."`,
		`1.4 One: build-error failed 0: "It holds.\n\nm\n\nHint: Look."`,
		`1.5 One: refused failed 0: "It holds.\n\nm\n\nHint: Look."`,
		`1.6 One: blocked failed 0: "It holds.\n\nnot run: m\n\nHint: Look."`,
		`1.7 One: todo failed 0: "It holds.\n\nnot started: m\n\nHint: Look."`,
		`2.1 Two: a failed 0: "It holds.\n\nm"`,
	}, got)

	text := write(t, func(w io.Writer) error { return r.WriteClassroom50(w, of50) })
	assert.Contains(t, text, `"datetime": "2026-06-01T14:32:05Z"`)
	assert.Contains(t, text, `"test-name": "ch01/todo",
      "passed": false,
      "score": 0,
      "max-score": 7,
      "status": "todo",
      "message": "not started: m"`)
	empty := &Report{}
	assert.Contains(t, write(t, empty.WriteGradescope), `"tests": []`)
	valid(t, schema(t, "testdata/classroom50.schema.json", false), write(t, func(w io.Writer) error { return empty.WriteClassroom50(w, of50) }))
}

// A report that was kept as JSON gives the same forms, but for what JSON does not have: the time
// that checks took, the places in files, and what fails on the own stack.
func TestFormsOfReadReport(t *testing.T) {
	r := saying("m", judged...)
	r.Chapters[0].OwnFails = nil
	for i := range r.Chapters[0].Checks {
		r.Chapters[0].Checks[i].Took = 0
	}
	var read Report
	require.NoError(t, json.Unmarshal([]byte(write(t, r.WriteJSON)), &read))
	for name, form := range map[string]func(r *Report) string{
		"junit":      func(r *Report) string { return write(t, r.WriteJUnit) },
		"gradescope": func(r *Report) string { return write(t, r.WriteGradescope) },
		"summary": func(r *Report) string {
			return write(t, func(w io.Writer) error { return r.WriteMarkdown(w, MaxSummary) })
		},
		"annotations": func(r *Report) string { return write(t, func(w io.Writer) error { return r.WriteAnnotations(w, "") }) },
	} {
		assert.Equal(t, form(r), form(&read), name)
	}
}

func TestReadClassroom50(t *testing.T) {
	env := map[string]string{
		"CLASSROOM": "cs", "ASSIGNMENT": "gosched", "USERNAME": "ann", "SUBMISSION_TAG": of50.Submission, "COMMIT_URL": "c", "RELEASE_URL": "r",
	}
	of, err := ReadClassroom50(func(name string) string { return env[name] })
	require.NoError(t, err)
	assert.Equal(t, Classroom50{Classroom: "cs", Assignment: "gosched", Type: "individual", Owner: "ann", Submission: of50.Submission, Commit: "c", Release: "r", Review: "c"}, of)
	env["ASSIGNMENT_TYPE"], env["OWNER"], env["REVIEW_URL"] = "group", "bob", "v"
	of, err = ReadClassroom50(func(name string) string { return env[name] })
	require.NoError(t, err)
	assert.Equal(t, "group bob v", of.Type+" "+of.Owner+" "+of.Review)
	delete(env, "CLASSROOM")
	delete(env, "RELEASE_URL")
	_, err = ReadClassroom50(func(name string) string { return env[name] })
	assert.EqualError(t, err, "these variables, which Classroom 50's runner sets, are missing: CLASSROOM, RELEASE_URL")
}

func TestFirstLine(t *testing.T) {
	for message, want := range map[string]string{
		"":                     "",
		"one":                  "one",
		"free.go:66: one\ntwo": "free.go:66: one",
		"m.go:9: violated check:\n  G1 is lost: never taken\n\n  1  x": "m.go:9: violated check: G1 is lost: never taken",
		"nothing follows:\n": "nothing follows:",
	} {
		assert.Equal(t, want, FirstLine(message))
	}
}

func TestPrintable(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"a\tb\nc é 中 😀", 100, "a\tb\nc é 中 😀"},
		{"a\r\nb\rc", 100, "a\nb\\x0dc"},
		{"\x1b[2J\x00\u009b", 100, `\x1b[2J\x00\x9b`},
		{"a\xffb\xe4\xb8", 100, `a\xffb\xe4\xb8`},
		{"\u202e\u2028\ufeff\U000e0041\ufffd", 100, `\u202e\u2028\ufeff\U000e0041` + "\ufffd"},
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abcdef\n… (1 more bytes)"},
		{"ab\n\ncd", 4, "ab\n… (2 more bytes)"},
		{"éé", 3, "é\n… (2 more bytes)"},
		{"a\x00b", 4, "a\n… (2 more bytes)"},
	} {
		assert.Equal(t, tt.want, Printable(tt.text, tt.limit), "%q", tt.text)
	}
	assert.Equal(t, `a::b [::1] \::x \::y ##\[z] # [`, Inert("a::b [::1] ::x ::y ##[z] # ["))
	assert.Equal(t, []command{{"error", "", "x"}, {"##[error", "", "y"}}, commands("a\n \t::error::x\nb ##[error]y\n::\n"), "the test sees commands")
}

// results is the folder of a class that TestFormsOfClass looks at.
var results = flag.String("results", "", "the `folder` of a class whose results are written in each form")

// TestFormsOfClass: each form of each result of a class follows its schema.
func TestFormsOfClass(t *testing.T) {
	if *results == "" {
		t.Skip("no class is named by -results")
	}
	own, gradescope, classroom := schema(t, "result.schema.json", true), schema(t, "testdata/gradescope.schema.json", false), schema(t, "testdata/classroom50.schema.json", false)
	files, err := filepath.Glob(filepath.Join(*results, "results", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var kept struct{ Report *Report }
		require.NoError(t, json.Unmarshal(text, &kept))
		r := kept.Report
		valid(t, own, write(t, r.WriteJSON))
		valid(t, gradescope, write(t, r.WriteGradescope))
		valid(t, classroom, write(t, func(w io.Writer) error { return r.WriteClassroom50(w, of50) }))
		wrong, count := junitErrors(write(t, r.WriteJUnit))
		assert.Empty(t, wrong)
		assert.Equal(t, len(r.Chapters), count["testsuite"])
		for _, c := range commands(write(t, func(w io.Writer) error { return r.WriteAnnotations(w, t.TempDir()) })) {
			assert.Contains(t, []string{"error", "warning"}, c.name)
		}
		assert.LessOrEqual(t, len(write(t, func(w io.Writer) error { return r.WriteMarkdown(w, MaxSummary) })), MaxSummary)
	}
	t.Logf("each form of %d results", len(files))
}
