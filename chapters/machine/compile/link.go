package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// A linker collects functions: from main.main on, each function is compiled
// when another one refers to it.
type linker struct {
	funcs     []*code // by index; nil until compiled
	indexOf   map[*ssa.Function]int
	queue     []*ssa.Function
	layouts   []machine.Layout
	layoutNos map[string]int       // by what Sprint makes of a layout
	closures  map[int]machine.Addr // function → where its closure is
	stdFiles  []string             // names of the embedded files that functions come from
}

// index returns the index of fn and sees to it that fn is compiled.
func (c *compiler) index(fn *ssa.Function) int {
	i, ok := c.indexOf[fn]
	if !ok {
		i = c.add(nil)
		c.indexOf[fn] = i
		c.queue = append(c.queue, fn)
	}
	return i
}

// add adds the code of a function that no SSA function stands for.
func (c *compiler) add(w *code) int {
	c.funcs = append(c.funcs, w)
	return len(c.funcs) - 1
}

// program compiles all functions that main needs and puts them together.
func (c *compiler) program(main *ssa.Package) *machine.Program {
	c.indexOf = map[*ssa.Function]int{}
	c.layouts, c.layoutNos = make([]machine.Layout, 1), map[string]int{}
	c.closures = map[int]machine.Addr{}
	c.data = dataSegment{
		strings: map[string]machine.Addr{}, globals: map[*ssa.Global]machine.Addr{},
		boxes: map[box]machine.Addr{}, consts: map[uint64]int{},
	}
	c.types.methodIDs = map[string]int{}
	c.wantMethods("Error", "String", "GoString")
	c.types.of(types.Typ[types.String]) // runtime errors need it
	entry := c.add(c.entry(main))
	c.closureAt(entry) // the main goroutine begins like any other, with a closure
	goexit := c.add(goexitCode())
	c.functions()
	sigpanic, unwind, goexits := c.runtimeFunc("sigpanic"), c.runtimeFunc("unwind"), c.runtimeFunc("Goexit")
	c.functions() // these last: the program's own code comes first
	c.stopIfErrors()
	p := c.link(entry, goexit)
	p.Sigpanic, p.Unwind, p.Goexits = sigpanic, unwind, goexits
	return p
}

// functions compiles all functions that are wanted so far, and what they want.
func (c *compiler) functions() {
	for more := true; more; more = c.addMethods() {
		for len(c.queue) > 0 {
			fn := c.queue[0]
			c.queue = c.queue[1:]
			c.function(fn)
		}
	}
}

// entry is the code of the main goroutine, runtime.main. As Go's, it calls the
// functions init itself, and not from the function that sets the package
// variables, so that they are the outermost frames of a listing.
func (c *compiler) entry(main *ssa.Package) *code {
	w := &code{name: "runtime.main", plain: true}
	w.emit(ins{op: machine.ENTER})
	call := func(name string) bool {
		fn := main.Func(name)
		if fn == nil {
			return false
		}
		w.opI(machine.CALL, 0, 0, c.index(fn))
		return true
	}
	call("init")
	for i := 1; call(fmt.Sprintf("init#%d", i)); i++ {
	}
	call("main")
	w.op(machine.TRAP, int(machine.TrapMainExit), out(0), 0, 0)
	return w
}

// goexitCode is where a goroutine's function returns to, runtime.goexit.
func goexitCode() *code {
	w := &code{name: "runtime.goexit", plain: true}
	w.op(machine.TRAP, int(machine.TrapGoexit), out(0), 0, 0)
	return w
}

// function compiles fn. It notes the error if fn cannot be compiled, so that
// all of them are reported together.
func (c *compiler) function(fn *ssa.Function) {
	c.fn, c.at = fn, nil
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
		}
	}()
	f := newFun(c, fn, &code{})
	f.name, f.plain = funcName(fn), len(fn.FreeVars) == 0
	f.file, f.line = c.place(fn.Pos())
	switch {
	case isWrapper(fn):
		f.line = 0
	case !fn.Pos().IsValid() && fn.Pkg.Pkg.Name() == "main": // sets the package variables
		f.line = 1
	}
	for _, p := range fn.Params {
		f.params = append(f.params, arg(len(f.shape)))
		f.shape = append(f.shape, f.shape1(p.Type(), p.Pos())...)
	}
	f.args = len(f.shape)
	results := fn.Signature.Results()
	for i := range results.Len() {
		f.results = append(f.results, arg(len(f.shape)))
		f.shape = append(f.shape, f.shape1(results.At(i).Type(), fn.Pos())...)
	}
	if fn.Blocks == nil {
		c.refuse(fn.Pos(), "missing function body")
	}
	f.analyze()
	f.number(1)
	f.place()
	f.lower()
	if n := f.size(); n > maxSlots {
		c.at = nil
		c.refuse(fn.Pos(), "function too large: %s needs %d slots, and a frame of the machine has %d", f.name, n, maxSlots)
	}
	c.funcs[c.indexOf[fn]] = f.code
}

// isWrapper reports whether fn was made up to call another function. Listings do
// not show it: it has no line.
func isWrapper(fn *ssa.Function) bool {
	for _, kind := range []string{"wrapper ", "thunk ", "bound "} {
		if strings.HasPrefix(fn.Synthetic, kind) {
			return true
		}
	}
	return false
}

// isInit reports whether fn is a function init that the program wrote.
func isInit(fn *ssa.Function) bool {
	return fn.Parent() == nil && strings.HasPrefix(fn.Name(), "init#")
}

// place returns the file, as an index into Program.Files, and the line of pos.
func (c *compiler) place(pos token.Pos) (file, line int) {
	if !pos.IsValid() {
		return 0, 0
	}
	p := c.fset.Position(pos)
	if i, ok := c.fileNo[p.Filename]; ok {
		return i, p.Line
	}
	for i := len(c.files); ; i++ {
		if i == len(c.files)+len(c.stdFiles) {
			c.stdFiles = append(c.stdFiles, p.Filename)
		}
		if c.stdFiles[i-len(c.files)] == p.Filename {
			return i, p.Line
		}
	}
}

// link puts the functions one after the other and makes the program.
func (c *compiler) link(entry, goexit int) *machine.Program {
	entries := make([]machine.PC, len(c.funcs))
	pc := 0
	for i, w := range c.funcs {
		w.finish()
		at, _ := w.layout()
		entries[i] = machine.PC(pc)
		pc += at[len(w.ins)]
	}
	p := &machine.Program{Consts: c.data.pool, Types: c.types.all, Entry: entry, Goexit: entries[goexit]}
	if len(p.Types) == 0 {
		p.Types = []*machine.Type{nil}
	}
	for i, w := range c.funcs {
		text, lines, inlined := w.assemble(int(entries[i]), entries)
		p.Code = append(p.Code, text...)
		p.Unsafe = w.unsafe(int(entries[i]), p.Unsafe)
		defers, recover := w.unwinding(entries[i])
		p.Funcs = append(p.Funcs, machine.Func{
			Defers: defers, Recover: recover,
			Name: w.name, Entry: entries[i], End: entries[i] + machine.PC(len(text)),
			Frame: uint32(w.frame()), Args: uint32(len(w.shape)), Params: uint32(w.args), Outs: uint32(w.outs), Closure: c.closures[i],
			Pointers: w.pointers(), File: w.file, Line: w.line, Lines: lines, Inlined: inlined,
		})
	}
	for i, at := range c.closures {
		c.setWord(at, uint64(entries[i]))
	}
	for i, t := range c.types.source {
		switch rt := c.types.all[i]; {
		case rt == nil:
		case rt.Kind == machine.KindMap:
			rt.Layout, rt.Entry = c.pointerLayout(t), c.entryLayout(t.Underlying().(*types.Map))
		default:
			rt.Layout = c.pointerLayout(t)
		}
	}
	p.MapLayout, p.StringLayout = c.layout(machine.MapLayout()), c.layoutOf(types.Typ[types.String])
	p.Layouts = c.layouts
	p.Data, p.Pointers = c.data.image, c.data.pointers()
	p.Files = slices.Clone(c.files)
	for _, name := range c.stdFiles {
		src, _ := stdFS.ReadFile("std/" + name)
		p.Files = append(p.Files, machine.File{Name: name, Source: string(src)})
	}
	return p
}

// unwinding returns Func.Defers and Func.Recover for a function that begins at
// base.
func (c *code) unwinding(base machine.PC) (defers uint32, recover machine.PC) {
	if c.defers == nil {
		return 0, 0
	}
	at, _ := c.layout()
	return uint32(c.resolve(int32(c.defers.at))) + 1, base + machine.PC(at[c.labels[c.recover]])
}

// finish gives ENTER and RET the size of the frame, which is known now.
func (c *code) finish() {
	for i := range c.ins {
		switch c.ins[i].op {
		case machine.ENTER, machine.RET:
			c.ins[i].b = int32(c.frame())
		}
	}
}

// funcName returns the name of fn as Go's tracebacks print it.
func funcName(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		n := 1 + slices.Index(parent.AnonFuncs, fn)
		if parent.Parent() == nil {
			return fmt.Sprintf("%s.func%d", funcName(parent), n)
		}
		return fmt.Sprintf("%s.%d", funcName(parent), n)
	}
	name, suffix := fn.Name(), ""
	if n, ok := strings.CutPrefix(name, "init#"); ok {
		i, _ := strconv.Atoi(n)
		name = fmt.Sprintf("init.%d", i-1)
	}
	if n, ok := strings.CutSuffix(name, "$bound"); ok {
		name, suffix = n, "-fm"
	}
	name = strings.TrimSuffix(name, "$thunk")
	if i := strings.IndexByte(name, '['); i >= 0 {
		name, suffix = name[:i], "[...]"+suffix
	}
	pkg := fn.Pkg
	var path string
	switch obj := fn.Object(); {
	case pkg != nil:
		path = pkg.Pkg.Path()
	case obj != nil && obj.Pkg() != nil:
		path = obj.Pkg().Path()
	}
	return path + "." + receiver(fn) + name + suffix
}

// receiver returns how the name of a method begins: T. or (*T).
func receiver(fn *ssa.Function) string {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return ""
	}
	recv := fn.Signature.Recv()
	if recv == nil { // a bound method or a method expression
		recv = obj.Signature().Recv()
	}
	if recv == nil {
		return ""
	}
	t := types.Unalias(recv.Type())
	format := "%s%s."
	if p, ok := t.(*types.Pointer); ok {
		t, format = types.Unalias(p.Elem()), "(*%s%s)."
	}
	named, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	args := ""
	if named.TypeArgs().Len() > 0 {
		args = "[...]"
	}
	return fmt.Sprintf(format, named.Obj().Name(), args)
}
