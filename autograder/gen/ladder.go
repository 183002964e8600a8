package gen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gosched/chapters"
)

// A Rung is one step of help towards a function that the student writes.
type Rung struct {
	Title string
	Lines []string
	Code  bool // the lines are laid out, as code
}

// StepsRung is the number, from 1, of the rung on which the steps stand: whoever has come so
// far has been told the way.
const StepsRung = 2

// ErrNoFunction is the error of Ladder if the chapter has no such function to write.
var ErrNoFunction = errors.New("there is no such function to write")

// ToWrite returns the functions that the student writes in a chapter, methods as
// "runQueue.Runqput".
func ToWrite(root string, ch chapters.Chapter) ([]string, error) {
	if given, err := readGiven(root, ch.Dir); given != nil || err != nil {
		return given.toWrite(), err
	}
	var names []string
	err := inSolution(root, ch, func(f *file, decl *ast.FuncDecl) {
		if f.take(decl.Doc, directiveExercise) {
			names = append(names, functionName(decl))
		}
	})
	return names, err
}

// Ladder returns the help for a function of a chapter, "Runqput" or "runQueue.Runqput", rung
// by rung: the question that leads on, the steps, and the shape of the code.
func Ladder(root string, ch chapters.Chapter, function string) ([]Rung, error) {
	if given, err := readGiven(root, ch.Dir); given != nil || err != nil {
		return given.ladder(function)
	}
	var rungs []Rung
	err := inSolution(root, ch, func(f *file, decl *ast.FuncDecl) {
		if (decl.Name.Name == function || functionName(decl) == function) && f.take(decl.Doc, directiveExercise) {
			rungs = f.ladder(decl)
		}
	})
	if err == nil && rungs == nil {
		err = ErrNoFunction
	}
	return rungs, err
}

// inSolution calls see for each function of a chapter's solution.
func inSolution(root string, ch chapters.Chapter, see func(f *file, decl *ast.FuncDecl)) error {
	names, err := filepath.Glob(filepath.Join(root, "solutions", ch.Dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parse(name, src, path.Base)
		if err != nil {
			return err
		}
		for _, decl := range f.syntax.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				see(f, decl)
			}
		}
	}
	return nil
}

func (f *file) ladder(decl *ast.FuncDecl) []Rung {
	lead := f.texts(decl.Body, directiveLead)
	if len(lead) == 0 {
		lead = f.texts(decl.Body, directiveQuestion)
	}
	if len(lead) == 0 {
		lead = []string{"Read the contract once more: each of its sentences asks for something. In which order must these things happen, and who may look in between?"}
	}
	steps := f.texts(decl.Body, directiveStep)
	for i := range steps {
		steps[i] = fmt.Sprintf("%d. %s", i+1, steps[i])
	}
	if len(steps) == 0 {
		steps = []string{"There is just one."}
	}
	return []Rung{
		{Title: "a question", Lines: lead},
		{Title: "the steps", Lines: steps},
		{Title: "the shape of the code", Lines: f.shape(decl.Body.List, ""), Code: true},
	}
}

// omitted stands for what the shape does not tell.
const omitted = "…"

// shape is the control flow of statements, with the names of what they call: conditions and
// operands are left to the student.
func (f *file) shape(list []ast.Stmt, indent string) []string {
	var lines []string
	add := func(text string) {
		if text != omitted || len(lines) == 0 || lines[len(lines)-1] != indent+omitted {
			lines = append(lines, indent+text)
		}
	}
	block := func(head string, body []ast.Stmt) {
		add(head + " {")
		lines = append(lines, f.shape(body, indent+"    ")...)
		add("}")
	}
	for _, s := range list {
		switch s := s.(type) {
		case *ast.IfStmt:
			for {
				block("if "+f.condition(s.Init, s.Cond), s.Body.List)
				next, ok := s.Else.(*ast.IfStmt)
				if !ok {
					break
				}
				s = next
			}
			if last, ok := s.Else.(*ast.BlockStmt); ok {
				block("else", last.List)
			}
		case *ast.ForStmt:
			if s.Cond == nil {
				block("for", s.Body.List)
				continue
			}
			block("for "+f.condition(s.Init, s.Cond), s.Body.List)
		case *ast.RangeStmt:
			block("for range "+f.outline(s.X), s.Body.List)
		case *ast.SwitchStmt:
			add("switch " + omitted + " {")
			for _, c := range s.Body.List {
				clause := c.(*ast.CaseClause)
				if clause.List == nil {
					add("default:")
				} else {
					add("case " + omitted + ":")
				}
				lines = append(lines, f.shape(clause.Body, indent+"    ")...)
			}
			add("}")
		case *ast.ReturnStmt:
			add(strings.TrimSpace("return " + f.outlines(s.Results)))
		case *ast.BranchStmt:
			add(s.Tok.String())
		case *ast.ExprStmt:
			add(f.outline(s.X))
		case *ast.DeferStmt:
			add("defer " + f.outline(s.Call))
		case *ast.AssignStmt:
			if right := f.outlines(s.Rhs); right != omitted {
				add(omitted + " " + s.Tok.String() + " " + right)
				continue
			}
			add(omitted)
		case *ast.BlockStmt:
			block("", s.List)
		default:
			add(omitted)
		}
	}
	return lines
}

func (f *file) condition(init ast.Stmt, cond ast.Expr) string {
	if s, ok := init.(*ast.AssignStmt); ok {
		return omitted + " " + s.Tok.String() + " " + f.outlines(s.Rhs) + "; " + f.outline(cond)
	}
	return f.outline(cond)
}

// outlines are the outlines of expressions; those that say nothing are one.
func (f *file) outlines(list []ast.Expr) string {
	var parts []string
	telling := false
	for _, x := range list {
		parts = append(parts, f.outline(x))
		telling = telling || parts[len(parts)-1] != omitted
	}
	if !telling && len(parts) > 0 {
		return omitted
	}
	return strings.Join(parts, ", ")
}

// outline is an expression reduced to what it calls.
func (f *file) outline(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.CallExpr:
		if _, literal := x.Fun.(*ast.FuncLit); literal {
			return omitted
		}
		name := string(f.src[f.offset(x.Fun.Pos()):f.offset(x.Fun.End())])
		if types.Universe.Lookup(name) != nil { // a conversion, or len
			return f.outlines(x.Args)
		}
		if len(x.Args) == 0 {
			return name + "()"
		}
		return name + "(" + omitted + ")"
	case *ast.UnaryExpr:
		if in := f.outline(x.X); in != omitted {
			return x.Op.String() + in
		}
	case *ast.ParenExpr:
		return f.outline(x.X)
	case *ast.BinaryExpr:
		a, b := f.outline(x.X), f.outline(x.Y)
		if a == omitted && b == omitted {
			return omitted
		}
		switch {
		case x.Op == token.LAND || x.Op == token.LOR:
			return a + " " + x.Op.String() + " " + b
		case a != omitted && b != omitted:
			return a + " " + omitted + " " + b
		}
		return a + " " + b // one of them is omitted
	}
	return omitted
}
