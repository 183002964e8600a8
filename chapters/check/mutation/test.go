package mutation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"

	"golang.org/x/sync/errgroup"

	"gosched/chapters/check"
	"gosched/chapters/check/golden"
	"gosched/chapters/gmp"
)

// A Subject is a part whose mutations are to be killed.
type Subject struct {
	Chapter     string // "ch07": among whose base it is checked
	Suite       string // the import path of its suite, whose variable Suite is used
	Solution    string // that of the solution
	Interface   string // "RunQueue"
	Receiver    string // "runQueue", the type of the solution
	Constructor string // "NewRunQueue"
	Golden      string // the file in testdata, for a chapter with several parts; "mutations.golden" if empty

	// Equivalent says of mutations, by name, why they change nothing that anybody
	// may rely on.
	Equivalent map[string]string
}

// Test makes all mutations of the part in the current folder, a package two levels
// below the root of the module, and runs the checks on each. One must fail, or the
// mutation be one of the equivalent ones. What became of each stands in
// the golden file. They are built as one program, which is in no folder
// but in an overlay.
func Test(t *testing.T, s Subject) {
	part, err := Of(".", s.Receiver, s.Constructor)
	if err != nil {
		t.Fatal(err)
	}
	program := build(t, s, part)
	results := run(t, program, len(part.Mutations))

	table := golden.Open(t, filepath.Join("testdata", cmp.Or(s.Golden, "mutations.golden")))
	listed := map[string]bool{}
	for i, m := range part.Mutations {
		why, equivalent := s.Equivalent[m.Name()]
		listed[m.Name()] = true
		switch r := results[i]; {
		case r.Check == "" && !equivalent:
			t.Errorf("%s:\nno check sees it. Either it changes nothing, then say why in the list of equivalent mutations, or a check is missing. The method is then\n%s", m.Name(), m.Source)
		case r.Check != "" && equivalent:
			t.Errorf("%s:\nis listed as equivalent, but %s fails: %s", m.Name(), r.Check, r.Message)
		case equivalent:
			table.Compare(t, m.Name(), "equivalent: "+why)
		default:
			table.Compare(t, m.Name(), "killed by "+r.Check+": "+r.Message)
		}
	}
	for name := range s.Equivalent {
		if !listed[name] {
			t.Errorf("%q is listed as equivalent, and there is no such mutation; is the solution another one now?", name)
		}
	}
	var operations strings.Builder
	for _, o := range part.Operations {
		fmt.Fprintf(&operations, "%s: %s\n", o.Method, o.Code)
	}
	table.Compare(t, "all atomic operations of the part", strings.TrimSuffix(operations.String(), "\n"))
	table.Close(t)
}

// A result is what became of a mutation.
type result struct {
	Check   string // the first that fails, "" if none does
	Message string // what it says, in short
}

// build compiles the program with all mutations.
func build(t *testing.T, s Subject, part *Part) (binary string) {
	t.Helper()
	var source bytes.Buffer
	if err := program.Execute(&source, struct {
		Subject
		*Part
	}{s, part}); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	main, overlay, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutations.exe")
	write(t, main, source.Bytes())
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "mutations", "main.go"): main}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, overlay, replace)
	cmd := exec.Command("go", "build", "-overlay", overlay, "-o", binary, "./mutations")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the mutations do not compile: %v\n%s", err, out)
	}
	return binary
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// limit ends a mutation in which even the deadlines of the checks do not help.
const limit = 5 * time.Minute

// run runs the checks on each mutation, in a process of its own.
func run(t *testing.T, binary string, n int) []result {
	t.Helper()
	results := make([]result, n)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var all errgroup.Group
	all.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	var mu sync.Mutex
	for i := range results {
		all.Go(func() error {
			out, err := exec.CommandContext(ctx, binary, strconv.Itoa(i)).Output()
			if err != nil {
				return fmt.Errorf("mutation %d: %w", i, err)
			}
			mu.Lock()
			defer mu.Unlock()
			return json.Unmarshal(out, &results[i])
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	return results
}

// Main is the program with the mutations: it runs the checks on one and prints what
// became of it. Models come first, since they end in any case. Checks with real
// threads are left out, for what they find is not determined.
func Main(s *check.Suite, base, mutant gmp.Version) {
	r := result{}
	for _, kind := range []check.Kind{check.Model, check.Unit, check.Program} {
		for i := range s.Checks {
			c := &s.Checks[i]
			if c.Kind != kind {
				continue
			}
			if out := s.Run(c, base.With(mutant)); out.Status != check.Pass {
				r = result{c.Name, summary(out.Message)}
				print(r)
				return
			}
		}
	}
	print(r)
}

func print(r result) {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // two strings
	}
	os.Stdout.Write(text)
}

// summary is the beginning of a message, without the place in the suite: what a
// report says before its lanes.
func summary(message string) string {
	_, text, found := strings.Cut(message, ": ")
	if !found {
		text = message
	}
	text, _, _ = strings.Cut(text, "\n\n")
	return text
}

// program is the source with all mutations. Each is a type that embeds the right
// part and has the changed method.
var program = template.Must(template.New("mutations").Funcs(template.FuncMap{
	"typed": func(source, receiver string, i int) string {
		return strings.Replace(source, "*"+receiver+")", fmt.Sprintf("*mutation%d)", i), 1)
	},
}).Parse(`package main

import (
	"os"
	"strconv"

	"gosched/chapters/check/mutation"
	suite "{{.Suite}}"
	solution "{{.Solution}}"
	"gosched/solutions"
{{range .Imports}}	{{.}}
{{end}})

{{.Helpers}}
func splitCompareAndSwap[T comparable](x interface{ Load() T; Store(T) }, old, new T) bool {
	if x.Load() != old {
		return false
	}
	x.Store(new)
	return true
}

func blindStore[T comparable](x interface{ Load() T; Store(T) }, old, new T) bool {
	x.Store(new)
	return true
}

func splitSwap[T comparable](x interface{ Load() T; Store(T) }, new T) T {
	old := x.Load()
	x.Store(new)
	return old
}

type part struct {
	gmp.{{.Interface}}
	s *gmp.Sched
}

var mutations = []func(p part) gmp.{{.Interface}}{
{{range $i, $m := .Mutations}}	func(p part) gmp.{{$.Interface}} { return &mutation{{$i}}{p} },
{{end}}}

{{range $i, $m := .Mutations}}
// {{$m.Name}}
type mutation{{$i}} struct{ part }

{{typed $m.Source $.Receiver $i}}
{{end}}
func main() {
	i, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	mutation.Main(suite.Suite, solutions.Base("{{.Chapter}}"), gmp.Version{
		{{.Interface}}: func(s *gmp.Sched) gmp.{{.Interface}} { return mutations[i](part{solution.{{.Constructor}}(s), s}) },
	})
}
`))
