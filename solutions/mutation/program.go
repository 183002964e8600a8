package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"gosched/chapters/gotool"
)

// symbol is the name of the function of a mutation in the program.
func (m *Mutation) symbol() string { return m.in.decl.Name.Name + "_mutation" + strconv.Itoa(m.n) }

// generate returns the files of the package, in which each function that some mutations
// change calls the one that is active.
func (s *Solution) generate(mutations []*Mutation) map[string]string {
	of := map[*function][]*Mutation{}
	for _, m := range mutations {
		of[m.in] = append(of[m.in], m)
	}
	files := map[string]string{}
	for _, f := range s.files {
		var b, behind strings.Builder
		at := f.syntax.Pos()
		for id, fn := range s.functions {
			if fn.file != f || len(of[fn]) == 0 {
				continue
			}
			call := fn.call()
			for _, e := range call.names {
				b.WriteString(f.between(at, e.from) + e.text)
				at = e.to
			}
			b.WriteString(f.between(at, fn.decl.Body.Lbrace+1))
			at = fn.decl.Body.Lbrace + 1
			fmt.Fprintf(&b, "\nif MutationReached != nil { MutationReached[%d] = true }", id)
			b.WriteString("\nswitch MutationActive {\n")
			for _, m := range of[fn] {
				fmt.Fprintf(&b, "case %d:\n%s\n", m.n, call.to(m.symbol()))
				behind.WriteString("\n\n" + m.renamed())
			}
			b.WriteString("}\n")
		}
		b.WriteString(f.src[f.offset(at):])
		files[f.name] = b.String() + behind.String() + "\n"
	}
	files[path.Join("solutions", s.Dir, "mutation_switch.go")] = "package " + s.name + "\n\n" +
		"// MutationActive is the number of the mutation that is executed, 0 for none.\nvar MutationActive int\n\n" +
		"// MutationReached notes which functions are called, if it is not nil.\nvar MutationReached []bool\n" + inSteps
	return files
}

// renamed is the text of a mutation as a function of its own.
func (m *Mutation) renamed() string {
	head := m.in.between(m.in.decl.Pos(), m.in.decl.Name.Pos())
	return head + m.symbol() + m.Source[len(head)+len(m.in.decl.Name.Name):]
}

// A call is how a function calls another one with the same parameters.
type call struct {
	names    []edit // that give names to parameters that have none
	receiver string
	args     string
	results  bool
}

func (c call) to(symbol string) string {
	if c.results {
		return "return " + c.receiver + symbol + "(" + c.args + ")"
	}
	return c.receiver + symbol + "(" + c.args + ")\nreturn"
}

// call makes the call of fn's mutations from fn.
func (fn *function) call() call {
	var c call
	fresh := 0
	name := func(id *ast.Ident) string {
		if id.Name != "_" {
			return id.Name
		}
		fresh++
		text := fmt.Sprintf("blank%d", fresh)
		c.names = append(c.names, replace(id, text))
		return text
	}
	list := func(fields *ast.FieldList) (names []string) {
		for _, field := range fields.List {
			if len(field.Names) == 0 {
				fresh++
				text := fmt.Sprintf("blank%d", fresh)
				c.names = append(c.names, insert(field.Type.Pos(), text+" "))
				names = append(names, text)
			}
			for _, id := range field.Names {
				names = append(names, name(id))
			}
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				names[len(names)-1] += "..."
			}
		}
		return names
	}
	if fn.decl.Recv != nil {
		c.receiver = list(fn.decl.Recv)[0] + "."
	}
	c.args = strings.Join(list(fn.decl.Type.Params), ", ")
	c.results = fn.decl.Type.Results != nil
	return c
}

// build compiles the program with the mutations that are picked, in folder dir.
func build(ctx context.Context, root, dir string, solutions []*Solution, picked []*Mutation) (string, error) {
	replace := map[string]string{}
	for _, s := range solutions {
		mine := slices.DeleteFunc(slices.Clone(picked), func(m *Mutation) bool { return m.Chapter != s.Chapter })
		for name, text := range s.generate(mine) {
			file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return "", err
			}
			replace[filepath.Join(root, filepath.FromSlash(name))] = file
		}
	}
	var source bytes.Buffer
	if err := mainTemplate.Execute(&source, solutions); err != nil {
		return "", err
	}
	main := filepath.Join(dir, "main.go")
	if err := os.WriteFile(main, source.Bytes(), 0o644); err != nil {
		return "", err
	}
	replace[filepath.Join(root, "mutations", "main.go")] = main
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "mutations.exe")
	cmd := gotool.Command(ctx, "build", "-overlay", overlay, "-o", binary, "./mutations")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the mutations do not compile: %w\n%s", err, out)
	}
	return binary, nil
}

// mainTemplate is the main program.
var mainTemplate = template.Must(template.New("main").Parse(`package main

import (
	"gosched/solutions/mutation/kill"
	"gosched/solutions"
{{range $i, $s := .}}
	suite{{$i}} "gosched/chapters/{{$s.Dir}}"
	parts{{$i}} "gosched/solutions/{{$s.Dir}}"
{{- end}}
)

func main() {
	kill.Main(map[string]kill.Subject{
{{- range $i, $s := .}}
		"{{$s.Chapter}}": {Suite: suite{{$i}}.Suite, Base: solutions.Base("{{$s.Chapter}}"), Active: &parts{{$i}}.MutationActive, Reached: &parts{{$i}}.MutationReached, Functions: {{$s.Functions}}},
{{- end}}
	})
}
`))

// Functions is how many functions are changed.
func (s *Solution) Functions() int { return len(s.functions) }
