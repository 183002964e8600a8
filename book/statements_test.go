package book

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// What the pages say about old versions of Go stands in statements.txt, with what it rests on.
const statementTable = "history/statements.txt"

var clone = flag.String("clone", "", "a clone of Go's repository, to check what statements.txt says about all versions and commits that it has")

// A stated is an entry of the table: a statement of a page, and what it rests on.
type stated struct {
	page  string
	words string // pieces of a sentence, in order, with … between them
	rests []evidenced
	line  int
}

func (s stated) String() string {
	return fmt.Sprintf("%s:%d: %q on page %s", statementTable, s.line, s.words, s.page)
}

// An evidenced is a line of evidence: a claim about the source of a version, or what a person has read.
type evidenced struct {
	version string // of a claim
	claim   claim
	kind    string // otherwise: commit, issue, cl, see or course
	text    string
	line    int
}

// handKinds are the kinds of evidence that no source of a release holds.
var handKinds = []string{"commit", "issue", "cl", "see", "course"}

// readStatements reads the table. Its form is described at its top.
func readStatements(text string) ([]stated, error) {
	var out []stated
	page, open := "", 0 // entries from open on get the evidence that follows
	for i, line := range strings.Split(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		switch indent := len(line) - len(rest); {
		case rest == "" || indent == 0 && rest[0] == '#':
		case indent == 0:
			page = rest
		case indent == 2:
			if len(out) == 0 || len(out[len(out)-1].rests) > 0 {
				open = len(out)
			}
			out = append(out, stated{page: page, words: rest, line: i + 1})
		case indent == 4 && open < len(out):
			e, err := parseEvidence(rest)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", statementTable, i+1, err)
			}
			e.line = i + 1
			for j := range out[open:] {
				out[open+j].rests = append(out[open+j].rests, e)
			}
		default:
			return nil, fmt.Errorf("%s:%d: a page stands at the beginning of a line, a statement after two spaces, and what it rests on after four", statementTable, i+1)
		}
	}
	for _, s := range out {
		if len(s.rests) == 0 {
			return nil, fmt.Errorf("%s rests on nothing", s)
		}
	}
	return out, nil
}

var numbered = regexp.MustCompile(`^1\.\d+$`)

func parseEvidence(line string) (evidenced, error) {
	first, rest, _ := strings.Cut(line, " ")
	if slices.Contains(handKinds, first) && rest != "" {
		return evidenced{kind: first, text: rest}, nil
	}
	if !numbered.MatchString(first) {
		return evidenced{}, fmt.Errorf("%q begins with neither a version nor one of %s", line, strings.Join(handKinds, ", "))
	}
	target, gone := strings.CutSuffix(rest, " absent")
	if !strings.Contains(target, "#") {
		target = strings.Replace(target+" ", " ", "# ", 1) // the whole file
	}
	file, decl, _ := strings.Cut(target, "#")
	decl, op, _ := strings.Cut(decl, " ")
	c := claim{file: file, decl: decl}
	switch f, value, _ := strings.Cut(strings.TrimSpace(op), " "); {
	case gone && f == "" && decl != "":
		c.op = "absent"
	case f == "" && decl != "" && !gone:
	case (f == "~" || f == "!~" || f == "=" && decl != "") && value != "":
		c.op, c.value = f, value
	default:
		return evidenced{}, fmt.Errorf("%q: a claim is FILE#DECLARATION, alone or with absent, ~ CODE, !~ CODE or = VALUE after it, or FILE with ~ or !~", line)
	}
	return evidenced{version: first, claim: c}, nil
}

// sentences are those of a page that name an old version, an issue or a commit.
func sentences(source string) []string {
	var out, para []string
	flush := func() {
		for _, s := range splitSentences(unmarked(strings.Join(para, " "))) {
			if len(marks(s)) > 0 {
				out = append(out, s)
			}
		}
		para = nil
	}
	fenced := false
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = !fenced
		case fenced:
		case strings.HasPrefix(line, ":::"):
			flush()
			kind, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(line, ":")), " ")
			switch version, _, _ := strings.Cut(rest, " "); kind {
			case "history":
				para = []string{"[" + version + "]"} // belongs to the first sentence below
			case "wrong":
				para = []string{strings.Trim(rest, `"`)}
				flush()
			}
		case line == "":
			if len(para) != 1 || para[0][0] != '[' {
				flush()
			}
		case strings.ContainsAny(line[:1], "|#-"):
			flush()
			para = []string{line}
			flush()
		default:
			para = append(para, line)
		}
	}
	flush()
	return out
}

var (
	factual   = regexp.MustCompile(`\{\{goroot [^#}]*#(\S+)(?: [^}]*? as ([^}]*)| [^}]*)?\}\}`)
	factualAs = regexp.MustCompile(`\{\{goroot [^}]* as ([^}]*)\}\}`)
	released1 = regexp.MustCompile(`\{\{go ([^}]*)\}\}`)
	chaptered = regexp.MustCompile(`\{\{chapter 0?(\d+)\}\}`)
	linked    = regexp.MustCompile(`\[([^\]^]*)\]\([^)]*\)`)
)

// unmarked returns a text of a page without its markup.
func unmarked(text string) string {
	text = factualAs.ReplaceAllString(text, "$1")
	text = factual.ReplaceAllString(text, "$1")
	text = released1.ReplaceAllString(text, "$1")
	text = chaptered.ReplaceAllString(text, "chapter $1")
	text = linked.ReplaceAllString(text, "$1")
	return strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(text)), " ")
}

var sentenceEnd = regexp.MustCompile(`[.?!]["”)]*(\[\^\w+\])? +`)

// splitSentences splits a paragraph where a full stop is followed by what can begin a sentence.
func splitSentences(text string) []string {
	var out []string
	for begin := 0; ; {
		end := len(text)
		for _, at := range sentenceEnd.FindAllStringIndex(text[begin:], -1) {
			if next := text[begin+at[1]]; next >= 'A' && next <= 'Z' || strings.IndexByte("[(_", next) >= 0 {
				end = begin + at[1]
				break
			}
		}
		if s := strings.TrimSpace(text[begin:end]); s != "" {
			out = append(out, s)
		}
		if end == len(text) {
			return out
		}
		begin = end
	}
}

var (
	course  = regexp.MustCompile(`\b([Oo]ur|[Yy]our|[Yy]our scheduler of) (Go )?1\.\d+\b`)
	version = regexp.MustCompile(`(^|[^\d.])(1\.(\d+))\b`)
	unit    = regexp.MustCompile(`^(\.\d|\s?(µs|ms|ns|%|times|MB|MiB|KiB|GB|×))`)
	named   = regexp.MustCompile(`(?:golang/go(?:#| issue )|go\.dev/cl/|\bCL )\d+|golang/go(?:@| commit )[0-9a-f]{6,}`)
)

// marks are the old versions of Go, issues, changes and commits that a sentence names. Versions of
// the course, "our 1.1", are none.
func marks(sentence string) []string {
	sentence = course.ReplaceAllString(sentence, "")
	out := named.FindAllString(sentence, -1)
	for _, at := range version.FindAllStringSubmatchIndex(sentence, -1) {
		minor, _ := strconv.Atoi(sentence[at[6]:at[7]])
		if minor <= 25 && !unit.MatchString(sentence[at[7]:]) {
			out = append(out, sentence[at[4]:at[5]])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isIn reports whether the pieces of words stand in a sentence, in order.
func (s stated) isIn(sentence string) bool {
	for piece := range strings.SplitSeq(unmarked(s.words), " … ") {
		i := strings.Index(sentence, piece)
		if i < 0 {
			return false
		}
		sentence = sentence[i+len(piece):]
	}
	return true
}

// nearest returns the sentence that has most words of the entry.
func (s stated) nearest(all []string) string {
	want := strings.Fields(unmarked(s.words))
	return slices.MaxFunc(append([]string{""}, all...), func(a, b string) int {
		shared := func(sentence string) (n int) {
			for _, word := range strings.Fields(sentence) {
				if slices.Contains(want, word) {
					n++
				}
			}
			return n
		}
		return cmp.Compare(shared(a), shared(b))
	})
}

// compare returns what is wrong between the entries of a page and its sentences.
func compareStatements(page string, entries []stated, all []string) (wrong []string) {
	told := make([][]string, len(all))
	for _, e := range entries {
		found := false
		for i, s := range all {
			if e.isIn(s) {
				found = true
				told[i] = append(told[i], marks(unmarked(e.words))...)
			}
		}
		if !found {
			wrong = append(wrong, fmt.Sprintf("%s: no sentence says that. Nearest is:\n\t%s\nIf it now says something else, check it in the source of the versions that it names, and correct the entry and what it rests on", e, e.nearest(all)))
		}
	}
	for i, s := range all {
		untold := slices.DeleteFunc(marks(s), func(m string) bool { return slices.Contains(told[i], m) })
		if len(untold) > 0 {
			wrong = append(wrong, fmt.Sprintf("%s says:\n\t%s\nand %s says nothing about its %s: check it, and say there what it rests on", page, s, statementTable, strings.Join(untold, ", ")))
		}
	}
	return wrong
}

// TestStatements keeps the table and the pages together.
func TestStatements(t *testing.T) {
	entries := statements(t)
	paths, err := filepath.Glob("en/*.md")
	require.NoError(t, err)
	pages := map[string]bool{}
	for _, path := range paths {
		page := strings.TrimSuffix(filepath.Base(path), ".md")
		pages[page] = true
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		var of []stated
		for _, e := range entries {
			if e.page == page {
				of = append(of, e)
			}
		}
		if page == "howto" { // how to use the course: its commits are the reader's, its versions the course's
			assert.Empty(t, of)
			continue
		}
		for _, wrong := range compareStatements(path, of, sentences(string(source))) {
			t.Error(wrong)
		}
	}
	for _, e := range entries {
		assert.True(t, pages[e.page], "%s: there is no such page", e)
	}
}

func statements(t *testing.T) []stated {
	text, err := os.ReadFile(statementTable)
	require.NoError(t, err)
	entries, err := readStatements(string(text))
	require.NoError(t, err)
	return entries
}

// noToolchain are the versions that the module proxy does not have: they were checked by hand, in a
// clone of the repository, which -clone does again.
var noToolchain = []string{"1.0", "1.1"}

// TestStatementsHold checks what the statements rest on in the sources of the versions: those of the
// toolchains on the module proxy, or, with -clone, those of a clone.
func TestStatementsHold(t *testing.T) {
	if !sample.Whole() && *clone == "" {
		t.Skip("downloads some twenty toolchains; GOSCHED_WHOLE=1 does that, and -clone DIR does without")
	}
	var versions []string
	of := map[string][]evidenced{}
	for _, s := range statements(t) {
		for _, e := range s.rests {
			if e.kind == "commit" && *clone != "" {
				checkCommit(t, e)
			}
			if e.version == "" || slices.ContainsFunc(of[e.version], func(o evidenced) bool { return o.line == e.line }) {
				continue
			}
			if of[e.version] == nil {
				versions = append(versions, e.version)
			}
			of[e.version] = append(of[e.version], e)
		}
	}
	had := false
	var failed []string
	for _, v := range versions {
		t.Run(v, func(t *testing.T) {
			tree, err := sourceOf(t, v)
			switch {
			case err != nil:
				failed = append(failed, fmt.Sprintf("go%s: %v", v, err))
				t.Skip(err)
			case tree == nil:
				t.Skipf("the module proxy has no Go %s: %d claims were checked by hand, and -clone checks them", v, len(of[v]))
			}
			had = true
			for _, e := range of[v] {
				if err := tree.holds(e.claim); err != nil {
					t.Errorf("%s:%d: in Go %s %v", statementTable, e.line, v, err)
				}
			}
		})
	}
	if !had {
		t.Skip("the module proxy cannot be reached:\n" + strings.Join(failed, "\n"))
	}
	for _, f := range failed {
		t.Error(f)
	}
}

// A sourceTree reads files below src of a version.
type sourceTree func(name string) (string, error)

// sourceOf returns the source of a version, or nil if nobody has it.
func sourceOf(t *testing.T, version string) (sourceTree, error) {
	if *clone != "" {
		tag := "go" + strings.TrimSuffix(version, ".0")
		if exec.Command("git", "-C", *clone, "rev-parse", "--verify", "--quiet", tag).Run() == nil {
			return func(name string) (string, error) {
				out, err := exec.Command("git", "-C", *clone, "show", tag+":src/"+name).Output()
				return string(out), err
			}, nil
		}
	}
	if slices.Contains(noToolchain, version) {
		return nil, nil
	}
	dir, err := toolchain(t, version)
	return func(name string) (string, error) {
		text, err := os.ReadFile(filepath.Join(dir, "src", filepath.FromSlash(name)))
		return string(text), err
	}, err
}

// onlyLast are the releases that the proxy has of versions whose first it does not have.
var onlyLast = map[string]string{"1.2": "1.2.2", "1.3": "1.3.3", "1.4": "1.4.3", "1.5": "1.5.4", "1.6": "1.6.4", "1.7": "1.7.6"}

// toolchain downloads the first release of a version into a folder that goes with the test of this
// version: all of them together are many gigabytes.
func toolchain(t *testing.T, version string) (dir string, err error) {
	release := "go" + cmp.Or(onlyLast[version], version)
	if minor, _ := strconv.Atoi(strings.TrimPrefix(version, "1.")); minor >= 21 {
		release += ".0"
	}
	cache := t.TempDir()
	cmd := exec.Command("go", "mod", "download", "-modcacherw", "-json", "golang.org/toolchain@v0.0.1-"+release+".linux-amd64")
	cmd.Dir = cache // in no module
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=off", "GOMODCACHE="+cache)
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if json.Unmarshal(out, &got) != nil || got.Dir == "" {
		return "", fmt.Errorf("go mod download: %w: %s", err, got.Error)
	}
	return got.Dir, nil
}

// holds returns nil if a claim is true of the tree.
func (tree sourceTree) holds(c claim) error {
	text, err := tree(c.file)
	if err != nil { // up to Go 1.3
		text, err = tree("pkg/" + c.file)
	}
	switch {
	case err != nil && c.op == "absent":
		return nil
	case err != nil:
		return fmt.Errorf("there is no file %s", c.file)
	}
	part, found := text, true
	if c.decl != "" {
		part, found = declarationIn(c.file, text, c.decl)
	}
	has := found && c.value != "" && strings.Contains(tight(part), tight(c.value))
	switch {
	case c.op == "absent" && found:
		return fmt.Errorf("%s declares %s", c.file, c.decl)
	case c.op == "absent":
		return nil
	case !found:
		return fmt.Errorf("%s does not declare %s", c.file, c.decl)
	case c.op == "~" && !has:
		return fmt.Errorf("%s does not contain %s", c.at(), c.value)
	case c.op == "!~" && has:
		return fmt.Errorf("%s contains %s", c.at(), c.value)
	}
	return nil
}

// at names what a claim is about.
func (c claim) at() string { return strings.TrimSuffix(c.file+"#"+c.decl, "#") }

// declarationIn returns a declaration of a file in Go or in C, with its text.
func declarationIn(file, text, name string) (string, bool) {
	if strings.HasSuffix(file, ".go") {
		f := &goFile{fset: token.NewFileSet(), source: text}
		var err error
		if f.syntax, err = parser.ParseFile(f.fset, file, text, parser.SkipObjectResolution); err != nil {
			return "", false
		}
		if d := f.find(name); d != nil {
			return f.text(d.whole), true
		}
		return "", false
	}
	q := regexp.QuoteMeta(name)
	function := regexp.MustCompile(`(?ms)^(?:[\w* ]+ )?(?:runtime|sync)?·?` + q + `\([^;{]*?\)\s*\{.*?^\}`)
	structure := regexp.MustCompile(`(?ms)^struct\s+` + q + `\s*\{.*?^\}`)
	for _, re := range []*regexp.Regexp{function, structure} {
		if found := re.FindString(text); found != "" {
			return found, true
		}
	}
	return "", false
}

var loose = regexp.MustCompile(`\s*([^\w\s])\s*`)

// tight removes the space that means nothing.
func tight(code string) string {
	return loose.ReplaceAllString(strings.Join(strings.Fields(code), " "), "$1")
}

// checkCommit checks that the clone has a commit, with its subject.
func checkCommit(t *testing.T, e evidenced) {
	hash, subject, _ := strings.Cut(e.text, " ")
	out, err := exec.Command("git", "-C", *clone, "log", "-1", "--format=%s", hash).Output()
	if assert.NoError(t, err, "%s:%d: %s", statementTable, e.line, e.text) {
		assert.Contains(t, string(out), subject, "%s:%d", statementTable, e.line)
	}
}

// TestStatementsSay shows what the tests say when a page and the table come apart.
func TestStatementsSay(t *testing.T) {
	entries, err := readStatements("12_sysmon\n  From 1.1 to 1.3 that … no limit … since 1.4\n    1.3 runtime/proc.c#sysmon !~ notetsleep\n")
	require.NoError(t, err)
	say := func(page string) string {
		return strings.Join(compareStatements("en/12_sysmon.md", entries, sentences(page)), "\n")
	}

	const right = "From 1.1 to 1.3 that sleep had {{goroot a.go#b as no limit}} at all, and has one since {{go 1.4}}. It took 1.3 ms on our 1.1.\n"
	assert.Empty(t, say(right))
	assert.Empty(t, say("::: wrong \"It sleeps.\"\nIt does.\n\n"+right+":::\n"))

	changed := say(strings.Replace(right, "1.3", "1.2", 1))
	assert.Contains(t, changed, `history/statements.txt:2: "From 1.1 to 1.3 that … no limit … since 1.4" on page 12_sysmon: no sentence says that. Nearest is:`)
	assert.Contains(t, changed, "From 1.1 to 1.2 that sleep had no limit at all, and has one since 1.4.")
	assert.Contains(t, changed, "history/statements.txt says nothing about its 1.1, 1.2, 1.4: check it, and say there what it rests on")
	assert.Contains(t, say(strings.Replace(right, "all, and", "all (golang/go#123), and", 1)), "says nothing about its golang/go#123")
	assert.Contains(t, say(right+"\n::: history 1.9 \"New\"\nIt is new.\n:::\n"), "[1.9] It is new.\nand history/statements.txt says nothing about its 1.9")

	for _, test := range []struct{ text, want string }{
		{"a\n  words\n    2.0 b.go#c\n", "begins with neither a version nor one of commit, issue, cl, see, course"},
		{"a\n  words\n    1.4 b.go\n", "a claim is FILE#DECLARATION"},
		{"a\n  words\n", "rests on nothing"},
		{"a\n   words\n", "a page stands at the beginning of a line"},
	} {
		_, err := readStatements(test.text)
		assert.ErrorContains(t, err, test.want)
	}

	tree := sourceTree(func(name string) (string, error) {
		return map[string]string{
			"pkg/runtime/proc.c": "void\nruntime·sysmon(void)\n{\n\tnotesleep(&n);\n}\nenum { Max = 1<<8 };\n",
			"runtime/proc.go":    "package runtime\n\nfunc sysmon() { notetsleep(&n, max) }\n",
		}[name], map[bool]error{true: os.ErrNotExist}[name != "pkg/runtime/proc.c" && name != "runtime/proc.go"]
	})
	for _, test := range []struct{ evidence, want string }{
		{"1.3 runtime/proc.c#sysmon ~ notesleep( &n )", ""},
		{"1.3 runtime/proc.c#sysmon !~ notetsleep", ""},
		{"1.3 runtime/proc.c ~ Max = 1 << 8", ""},
		{"1.3 runtime/proc.c#forcegc absent", ""},
		{"1.4 runtime/proc.go#sysmon ~ notetsleep", ""},
		{"1.4 runtime/none.go#sysmon absent", ""},
		{"1.3 runtime/proc.c#sysmon ~ Max", "runtime/proc.c#sysmon does not contain Max"},
		{"1.3 runtime/proc.c#forcegc", "runtime/proc.c does not declare forcegc"},
		{"1.4 runtime/proc.go#sysmon !~ notetsleep", "runtime/proc.go#sysmon contains notetsleep"},
		{"1.4 runtime/proc.go#sysmon absent", "runtime/proc.go declares sysmon"},
		{"1.4 runtime/none.go#sysmon", "there is no file runtime/none.go"},
	} {
		e, err := parseEvidence(test.evidence)
		require.NoError(t, err)
		if err = tree.holds(e.claim); test.want == "" {
			assert.NoError(t, err, test.evidence)
		} else {
			assert.EqualError(t, err, test.want)
		}
	}
}
