package policy

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"gosched/chapters/gmp"
)

// A scheduler and its machine have methods and fields for whoever runs and watches them: the
// router, the checks, the simulator. A part reaches them through the same pointers as all
// else. Which ones it must not use is written here, by name; a test asks for a decision about
// each new one.

// harness are the names that no file may select, of whatever value, with what to do instead.
var harness = map[string]string{
	"Main":      "the scheduler runs already",
	"MainUntil": "the scheduler runs already",
	"Begin":     "the scheduler runs already",
	"Tap":       "call the parts through s",
	"OnPanic":   "what a panic ends in is not for a part to say",
	"Mixed":     "call the parts through s",
	"Veiled":    "call the parts through s",
	"Simulated": "a part is the same on all hosts",
	"Only":      "call the parts through s",
	"With":      "call the parts through s",
	"Parts":     "call the parts through s: s.Runqput, not s.Parts.Runqput",
	"Collector": "call its methods through s",
	"Halt":      "the program ends with s.Exit",
	"OneCPU":    "a part is the same on one CPU and on many",
	"NewThread": "s.NewM makes an M with its thread, and s.Newosproc starts it",
	"NewEpoll":  "the netpoller is s.Epoll",
	"Run":       "the router runs the program: Schedule returns to it",
	"RunN":      "the router runs the program: Schedule returns to it",
	"Syscall":   "the router makes the program's system calls",
	"Bytes":     "use Word, SetWord and Copy, which an exploration sees",
	"Options":   "what a part may know of them is in methods of s, such as s.StartingProcs",
}

// watching are the names that parts may not select, and a student's own test may, which makes
// programs and looks at what has become of them.
var watching = map[string]string{
	"Peek":   "use Get, Load or Look: what is seen by Peek no exploration knows of",
	"Code":   "a program is not for a part to change",
	"Consts": "a program is not for a part to change",
	"Funcs":  "ask for FuncAt: a program is not for a part to change, or to recognise",
	"Disasm": "a part does the same for every program",
}

// packageNames are the names in packages that are refused, with what to do instead.
var packageNames = map[string]map[string]string{
	gmpPath: {
		"New": "a part is given its scheduler", "NewBare": "a part is given its scheduler", "Options": "a part is given its scheduler",
		"Assemble": "call the parts through s", "Missing": "call the parts through s", "OwnForm": "call the parts through s",
		"Parts": "call the parts through s", "Releases": "a part is for one version",
		"Written": "panic with gmp.TODO until a method is written", "Unwritten": "panic with gmp.TODO until a method is written", "Withheld": "panic with gmp.TODO until a method is written", "Todo": "panic with gmp.TODO until a method is written",
		"NewPartPanic": "throw with s.Throw", "PartPanic": "throw with s.Throw", "Breach": "throw with s.Throw", "Absent": "throw with s.Throw",
		"Call": "call the parts through s", "Result": "the program ends with s.Exit", "ErrBudget": "the program ends with s.Exit",
		"MayMoreStackMove": "stacks grow in Newstack", "MayMoreStackPreempt": "stacks grow in Newstack", "MayMoreStackShrink": "stacks grow in Newstack",
		"ShortFile": "s.Throw says where it was called", "ClearMarks": "compare with the marks: they are no Gs",
	},
	machinePath: {
		"New": "a part is given its machine, s.Machine", "Options": "a part is given its machine, s.Machine",
		"SetHook": "the hook belongs to whoever watches the parts", "Hook": "the hook belongs to whoever watches the parts",
		"CostHook": "the hook belongs to whoever watches the parts", "MemoryHook": "the hook belongs to whoever watches the parts",
		"NetworkHook": "the hook belongs to whoever watches the parts", "Shared": "the hook belongs to whoever watches the parts",
		"NewID": "the hook belongs to whoever watches the parts", "Together": "gmp.NewP and the like say which variables lie together",
		"Hooked": "a part does the same wherever it runs", "Explored": "a part does the same wherever it runs",
		"Newosproc": "s.Newosproc starts the thread of an M", "PeekNanotime": "the clock is s.Nanotime", "GCScanned": "the collector is the course's",
		"Syscall": "the router makes the program's system calls", "Threads": "s.Newosproc starts the thread of an M",
	},
	"fmt": {
		"Scan": "a part reads nothing", "Scanf": "a part reads nothing", "Scanln": "a part reads nothing",
		// Whoever has kept one writes into what somebody else prints later: they are used again.
		"State": "write a method String", "Formatter": "write a method String", "ScanState": "use fmt.Sscan", "Scanner": "use fmt.Sscan",
	},
	"iter": {"Pull": "use range over the iterator", "Pull2": "use range over the iterator"},
}

// clocks are the names in package machine by which a test could tell its first call from a
// later one.
var clocks = []string{"Nanotime", "Walltime", "Usleep"}

// given are the names of packages that have a few for a student's own test, and are otherwise
// those of the checks.
var given = map[string][]string{
	checkPath:     {"TB", "Met", "Mending", "Prediction", "TODO", "Nothing", "Holding", "Running", "Name"},
	explorePath:   {"Model"},
	"testing":     {"T"},
	solutionsPath: {"Base", "Mutants", "Harmless", "Mends"},
}

// asserted are the functions of testify, without an f at their ends, that look at nothing but
// values. What prints a value, or compares its type, could tell a wrong part by its name.
var asserted = []string{
	"Equal", "NotEqual", "EqualValues", "Same", "NotSame", "True", "False", "Nil", "NotNil", "Zero", "NotZero", "Empty", "NotEmpty", "Len",
	"Contains", "NotContains", "Subset", "NotSubset", "ElementsMatch", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
	"Positive", "Negative", "InDelta", "InEpsilon", "IsIncreasing", "IsNonDecreasing", "IsDecreasing", "IsNonIncreasing",
	"Panics", "NotPanics", "PanicsWithValue", "Error", "NoError", "ErrorIs", "NotErrorIs", "Fail", "FailNow",
}

// partNames are the parts of a scheduler: the fields of gmp.Parts, which are also those of
// gmp.Version.
var partNames = func() []string {
	var names []string
	t := reflect.TypeFor[gmp.Parts]()
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	return names
}()

// fixed are fields that are constant after the scheduler was made, beside the parts.
var fixed = []string{"Parts", "Collector", "Machine", "Thread", "Memory", "Program"}

// whole are types of which there is one value, which is written over by no other. A pointer to one
// has no type of a part's own: it would be printed without the course's method Format, with all
// that it has.
var whole = []string{"gmp.Sched", "machine.Machine", "machine.Thread", "machine.Memory", "machine.Program"}

// shown are types whose values the machine hands out to be looked at.
var shown = []string{"machine.Program", "machine.Func", "machine.Type", "machine.Layout", "machine.Frame"}

// names goes through the code of a file.
func (c *checker) names() {
	for _, decl := range c.file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && c.mine && fn.Recv != nil && slices.Contains([]string{"Errorf", "FailNow", "Logf"}, fn.Name.Name) {
			c.at(fn.Pos(), "it has a method "+fn.Name.Name, "report to the t that the test is given")
		}
		if fn, ok := decl.(*ast.FuncDecl); ok {
			c.swallows(fn)
		}
		var above []ast.Node
		ast.Inspect(decl, func(n ast.Node) bool {
			if n == nil {
				above = above[:len(above)-1]
				return true
			}
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			c.node(n, decl, above)
			above = append(above, n)
			return true
		})
	}
}

// node looks at a node of a declaration, with those that it is in, the innermost last.
func (c *checker) node(n ast.Node, decl ast.Decl, above []ast.Node) {
	if x, ok := n.(ast.Expr); ok {
		c.copies(x, above)
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		c.at(n.Pos(), "it starts a goroutine", "the threads are Ms: s.Newosproc starts one")
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "recover" && !c.mine {
			c.at(n.Pos(), "it recovers from panics", "let them through: what a part throws, the router must see")
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, x := range n.Lhs {
				c.target(x, "it changes")
			}
		}
	case *ast.IncDecStmt:
		c.target(n.X, "it changes")
	case *ast.RangeStmt:
		if n.Tok != token.DEFINE {
			c.target(n.Key, "it changes")
			c.target(n.Value, "it changes")
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.target(n.X, "it takes the address of")
		}
	case *ast.TypeAssertExpr:
		if n.Type != nil {
			c.asserts(n.Type)
		}
	case *ast.TypeSwitchStmt:
		for _, clause := range n.Body.List {
			for _, t := range clause.(*ast.CaseClause).List {
				c.asserts(t)
			}
		}
	case *ast.SelectorExpr:
		c.selects(n, decl, above)
	}
}

// asserts refuses to ask whether a value has methods that its type does not show: a writer may
// be the very buffer in which a check collects what was said.
func (c *checker) asserts(t ast.Expr) {
	typ := c.info.TypeOf(t)
	if id, ok := t.(*ast.Ident); ok && id.Name == "nil" {
		return
	}
	if typ == nil || !c.plain(typ) {
		c.at(t.Pos(), "it asks a value whether it has other methods", "ask for the type that you mean, such as *gmp.G; one of your own must be no interface")
	}
}

// target refuses to change, or to take the address of, what belongs to another package or to
// whoever made the scheduler.
func (c *checker) target(x ast.Expr, does string) {
	if x == nil {
		return
	}
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && !c.harmless(sel) {
		name := sel.Sel.Name
		if slices.Contains(fixed, name) || slices.Contains(partNames, name) && c.owner(sel) != "gmp.P" { // P.Timers is a list
			c.at(sel.Sel.Pos(), fmt.Sprintf("%s %s", does, name), "it is constant once the scheduler is made; a version says which parts it has")
			return
		}
		if owner := c.owner(sel); slices.Contains(shown, owner) && !c.mine {
			c.at(sel.Sel.Pos(), fmt.Sprintf("%s %s of %s", does, name, owner), "it is there to be looked at")
			return
		}
	}
	inner := x
	for {
		switch n := inner.(type) {
		case *ast.ParenExpr:
			inner = n.X
			continue
		case *ast.StarExpr:
			inner = n.X
			continue
		case *ast.IndexExpr:
			inner = n.X
			continue
		case *ast.SliceExpr:
			inner = n.X
			continue
		case *ast.SelectorExpr:
			if p := c.of(n.X); p != "" {
				c.at(n.Pos(), fmt.Sprintf("%s %s.%s, a variable of another package", does, nameOf(p), n.Sel.Name), "keep your state in fields of a part")
				return
			}
			inner = n.X
			continue
		}
		return
	}
}

// selects looks at a name behind a dot.
func (c *checker) selects(sel *ast.SelectorExpr, decl ast.Decl, above []ast.Node) {
	name := sel.Sel.Name
	if p := c.of(sel.X); p != "" && c.qualified(sel, p, decl, above) {
		return
	}
	if c.harmless(sel) {
		return
	}
	if text := harness[name]; text != "" {
		c.at(sel.Sel.Pos(), fmt.Sprintf("it uses %s, which is for what runs and watches the parts", name), text)
		return
	}
	if c.of(sel.X) != "" {
		return
	}
	if text := watching[name]; text != "" && !c.mine {
		c.at(sel.Sel.Pos(), "it uses "+name, text)
		return
	}
	c.reads(sel)
	if inner, ok := sel.X.(*ast.SelectorExpr); ok && c.of(inner.X) == gmpPath && (inner.Sel.Name == "PdReady" || inner.Sel.Name == "PdWait") {
		c.at(sel.Pos(), fmt.Sprintf("it uses gmp.%s as a G", inner.Sel.Name), "compare with it: it is a mark, and no G")
	}
	if slices.Contains(partNames, name) && c.owner(sel) != "gmp.P" && !c.partly(sel, above) {
		c.at(sel.Sel.Pos(), "it uses the part "+name+" as a value", "call its methods through s")
	}
}

// partly reports whether a part is selected in order to call it, to ask whether the version
// has it, or, in mend_test.go, to make it.
func (c *checker) partly(sel *ast.SelectorExpr, above []ast.Node) bool {
	switch outer := above[len(above)-1].(type) {
	case *ast.SelectorExpr:
		return outer.X == sel
	case *ast.BinaryExpr:
		y, ok := outer.Y.(*ast.Ident)
		return ok && y.Name == "nil" && outer.X == sel
	case *ast.CallExpr:
		return c.mend && outer.Fun == sel
	}
	return false
}

// shares refuses the tables of package unicode, the only variables that can be changed of the
// packages that a file may import: what one check, or one call of a test, leaves in them the next
// one finds, by whatever name it reaches them.
func (c *checker) shares(sel *ast.SelectorExpr, full string) {
	if v, ok := c.info.Uses[sel.Sel].(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == "unicode" {
		c.at(sel.Pos(), "it uses the table "+full, "call a function such as unicode.IsLetter: what is in a table all share")
	}
}

// qualified looks at a name of an imported package, and reports whether it has refused it.
func (c *checker) qualified(sel *ast.SelectorExpr, importPath string, decl ast.Decl, above []ast.Node) (refused bool) {
	before := len(c.findings)
	name := sel.Sel.Name
	full := sel.X.(*ast.Ident).Name + "." + name
	allowed, few := given[importPath]
	c.shares(sel, full)
	switch {
	case packageNames[importPath][name] != "":
		c.at(sel.Pos(), "it uses "+full, packageNames[importPath][name])
	case c.mine && importPath == machinePath && slices.Contains(clocks, name):
		c.at(sel.Pos(), "it uses "+full, "each call of the test must do the same, however long it takes")
	case few && !slices.Contains(allowed, name):
		c.at(sel.Pos(), "it uses "+full, "of that package a test of yours needs only "+strings.Join(allowed, ", "))
	case c.isWhole(nameOf(importPath) + "." + name):
		if _, ok := above[len(above)-1].(*ast.StarExpr); !ok {
			c.at(sel.Pos(), fmt.Sprintf("it has a %s as a value", full), "use the pointer that a part is given, *"+full)
		} else if declaresType(above[:len(above)-1]) {
			c.at(sel.Pos(), fmt.Sprintf("it declares a type *%s of its own", full), "name it *"+full)
		}
	case (importPath == assertPath || importPath == requirePath) && strings.Contains(name, "Panics") && !c.mine:
		c.at(sel.Pos(), "it recovers from panics with "+full, "let them through: what a part throws, the router must see")
	case importPath == assertPath || importPath == requirePath:
		if !slices.Contains(asserted, name) && !slices.Contains(asserted, strings.TrimSuffix(name, "f")) {
			c.at(sel.Pos(), "it uses "+full, "use the assertions about values, such as "+strings.Join(asserted[:6], ", "))
		}
	case importPath == "testing" || importPath == solutionsPath || importPath == c.suite():
		if !c.gives(decl) {
			c.at(sel.Pos(), "it uses "+full, "leave it to the functions that were given, TestMine, TestMends and TestPredict")
		}
	}
	return len(c.findings) > before
}

// gives reports whether a declaration is one of those that hand what the student writes to the
// suite.
func (c *checker) gives(decl ast.Decl) bool {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok || fn.Recv != nil {
		return false
	}
	if slices.Contains([]string{"TestMine", "TestMends", "TestPredict"}, fn.Name.Name) {
		return true
	}
	if !c.mend || fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
		return false
	}
	sel, ok := fn.Type.Results.List[0].Type.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Version" && c.of(sel.X) == gmpPath
}
