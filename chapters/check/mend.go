package check

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gosched/chapters/gmp"
)

// A Mend is a part that is right but for the mistake of a mutant, which the student mends:
// the method of the mutant that is wrong, and a function that says which two steps met.
type Mend struct {
	Check  string // its check, of kind Mended: "mend-tail"
	Mutant string // "tail-before-slot"
	Type   string // the type in mend_test.go whose method is mended: "putMended"
	Method string // "Runqput"
	// Lines is how many lines the smallest change takes away and puts in, together.
	Lines int
	// Delegates says that a right mending may leave to the right method what the mutant does
	// itself, so that standIn would refuse it.
	Delegates bool
	// Met has, for each of the two steps, words of which a row of the interleaving has at
	// least one: "Runqtail.Store". No other row has them.
	Met [2][]string
}

// A Met says which two steps met that must not: for each some words of its row in the
// interleaving, such as "pp.Runqtail.Store(t + 1)", in any order. A row that stands for a
// whole call is a step, too.
type Met struct{ One, Other string }

// Mends are the parts to mend in a chapter. Source is the text of the file with its mutants.
type Mends struct {
	List   []Mend
	Source string
}

// A Mending is what the student did with a Mend.
type Mending struct {
	Part gmp.Version // the mended part
	Met  func() Met
}

// mendFile is where the student mends.
const mendFile = "mend_test.go"

// spareLines is how many lines more than the smallest change a mending may take.
const spareLines = 2

// TestMends judges what the student has mended, by the names of the checks: the two steps must
// be those that met; the part must pass all checks of the method; and the change must be small.
func (s *Suite) TestMends(t *testing.T, base gmp.Version, mutants []Mutant, mends Mends, done map[string]Mending) {
	for i := range s.Checks {
		if c := &s.Checks[i]; c.Kind == Mended {
			t.Run(c.Name, func(t *testing.T) {
				s.report(t, c, func() Outcome { return s.mended(c, base, mutants, mends, done[c.Name]) })
			})
		}
	}
}

func (s *Suite) mended(c *Check, base gmp.Version, mutants []Mutant, mends Mends, m Mending) Outcome {
	if len(mends.List) == 0 && m.Met != nil {
		if _, out := answer(m.Met); out.Status != Pass {
			return out
		}
		return withheld("the reference that is otherwise right")
	}
	i := slices.IndexFunc(mends.List, func(m Mend) bool { return m.Check == c.Name })
	if i < 0 || m.Met == nil {
		return Outcome{Status: Fail, Message: fmt.Sprintf("%s does not hand %s to TestMends", mendFile, c.Name)}
	}
	mend := mends.List[i]
	met, out := answer(m.Met)
	if out.Status != Pass {
		return out
	}
	mutant := mutants[slices.IndexFunc(mutants, func(m Mutant) bool { return m.Name == mend.Mutant })]
	wrong := s.Run(s.Check(mutant.Check), base.With(mutant.Parts))
	if wrong.Status != Fail {
		return Outcome{Status: InternalError, Message: fmt.Sprintf("the mistake %s no longer fails %s", mutant.Name, mutant.Check)}
	}
	if msg := mend.judge(met, strings.Split(Rows(wrong.Message), "\n")); msg != "" {
		return Outcome{Status: Fail, Message: msg}
	}
	for i := range s.Checks {
		sees := &s.Checks[i]
		if sees.Run == nil || sees.Kind == Stress || sees.Name != mutant.Check && !slices.Contains(sees.Methods, mend.Method) {
			continue
		}
		if !mend.Delegates && s.Run(sees, base.With(standIn(m.Part, mutant.Parts))).Status == Pass {
			continue
		}
		out := s.Run(sees, base.With(m.Part))
		if mend.Delegates && out.Status == Pass {
			continue
		} else if out.Status == Pass {
			return Outcome{Status: Fail, Message: fmt.Sprintf("your %s leaves the work to the correct method; mend this one instead", mend.Method)}
		}
		out.Message = fmt.Sprintf("as you have mended it, %s is not correct yet; it fails %s:\n%s", mend.Method, sees.Name, out.Message)
		out.Status = Fail
		return out
	}
	return mend.size(s.ID, mends.Source)
}

// answer calls a function that the student writes to say something.
func answer[A any](say func() A) (said A, out Outcome) {
	out = new(T).finish(func(*T) { said = say() })
	return said, out
}

// judge says what is wrong with an answer, "" if it is right.
func (m Mend) judge(met Met, rows []string) string {
	one, problem := m.step(met.One, rows)
	if problem != "" {
		return problem
	}
	other, problem := m.step(met.Other, rows)
	if problem != "" {
		return problem
	}
	if one == other {
		return fmt.Sprintf("%q and %q are the same step, or steps of the same thread; name two that met, one of each thread", met.One, met.Other)
	}
	return ""
}

// step finds the one of the two steps that some words are of.
func (m Mend) step(words string, rows []string) (step int, problem string) {
	words = squeeze(words)
	if words == "" {
		return 0, "say which the two steps are, in words from their rows"
	}
	found := having(rows, words)
	if len(found) == 0 {
		return 0, fmt.Sprintf("no row of the interleaving above %s has %q; copy some words from the row", m.Method, words)
	}
	for _, row := range found {
		for i, known := range m.Met {
			if slices.ContainsFunc(known, func(k string) bool { return strings.Contains(row, squeeze(k)) }) {
				return i, ""
			}
		}
	}
	return 0, fmt.Sprintf("%q is harmless where it is: would anything go wrong if the other thread came just before it, and not just after? Look for the step at which one thread can see, or spoil, what the other has only half done", words)
}

// What points to code of which the student has none: places at the end of a row, those in a
// sentence, and the one at the beginning.
var (
	placeOfRow  = regexp.MustCompile(`(?m)  +[\w./]+\.go(:[\d-]+|:N)?( ◀)?$`)
	placeInText = regexp.MustCompile(` \([\w./]+\.go:[\dN]+\)`)
	placeFirst  = regexp.MustCompile(`^[\w./]+\.go:[\dN]+: `)
)

// Rows is the report of an exploration without places in the code, and without what is only
// needed to replay it: what stands above a method to mend.
func Rows(report string) string {
	report, _, _ = strings.Cut(report, "; replay: ")
	report = placeFirst.ReplaceAllString(report, "")
	report = placeInText.ReplaceAllString(report, "")
	return placeOfRow.ReplaceAllString(report, "$2")
}

// having returns the rows that have some words, squeezed. A row that stands for a whole call may
// take several lines; all but its last end in a comma.
func having(lines []string, words string) []string {
	var found []string
	row := ""
	for _, line := range lines {
		row = squeeze(row + " " + line)
		if strings.HasSuffix(row, ",") {
			continue
		}
		if strings.Contains(row, words) {
			found = append(found, row)
		}
		row = ""
	}
	return found
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// size judges how large the change is.
func (m Mend) size(chapter, mutants string) Outcome {
	file, err := os.ReadFile(mendFile)
	if err != nil {
		return Outcome{Status: Fail, Message: fmt.Sprintf("your %s cannot be read: %v", mendFile, err)}
	}
	n, err := m.Change(mutants, string(file))
	switch {
	case err != nil:
		return Outcome{Status: Fail, Message: fmt.Sprintf("%s: %v", mendFile, err)}
	case n > m.Lines+spareLines:
		return Outcome{Status: Fail, Message: fmt.Sprintf("%s is now correct, but your change takes out or puts in %d lines, and %d are enough; find the smallest change (go run ./autograder reset %s %s.%s gives you the mistake back)", m.Method, n, m.Lines, chapter, m.Type, m.Method)}
	}
	return Outcome{Status: Pass}
}

// Change is how many lines of the wrong method, which is in the text of mutants, the text of a
// mend_test.go takes away and puts in, together; comments and spaces do not count. An error
// says what is missing, or that the work is left to the right method.
func (m Mend) Change(mutants, file string) (int, error) {
	before, err := method(mutants, MutantType(m.Mutant), m.Method)
	if err != nil {
		return 0, err
	}
	after, err := method(file, m.Type, m.Method)
	if err != nil {
		return 0, err
	}
	if calls := func(lines []string) int { return strings.Count(strings.Join(lines, "\n"), "."+m.Method+"(") }; calls(after) > calls(before) {
		return 0, fmt.Errorf("your %s leaves the work to the correct method; mend this one instead", m.Method)
	}
	return changed(before, after), nil
}

// MutantType is the name of a mutant as that of its Go type: tailBeforeSlot for
// tail-before-slot.
func MutantType(mutant string) string {
	words := strings.Split(mutant, "-")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// method returns the lines of the body of a method, formatted and without comments.
func method(source, receiver, name string) ([]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range file.Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok || decl.Name.Name != name || decl.Recv == nil || len(decl.Recv.List) != 1 {
			continue
		}
		t := decl.Recv.List[0].Type
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		if id, ok := t.(*ast.Ident); !ok || id.Name != receiver {
			continue
		}
		var b strings.Builder
		if err := format.Node(&b, fset, decl.Body); err != nil {
			return nil, err
		}
		var lines []string
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return lines, nil
	}
	return nil, fmt.Errorf("there is no method %s of %s", name, receiver)
}

// changed is how many lines must be taken away from a and put in to make b of it.
func changed(a, b []string) int {
	row := make([]int, len(b)+1) // the longest common subsequence of what of a was seen, and b[:j]
	for _, line := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if line == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return len(a) + len(b) - 2*row[len(b)]
}
