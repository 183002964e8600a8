package compile

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A fun compiles one SSA function. First it decides which SSA values need no
// slots, because their users compute them (analyze); then it gives slots to
// all others (place); then it emits the code (lower).
type fun struct {
	*code
	c  *compiler
	sf *ssa.Function

	blocks []*ssa.BasicBlock       // in the order of the code
	order  map[*ssa.BasicBlock]int // index in blocks
	pos    map[ssa.Instruction]int // position of an instruction; see place

	values   map[ssa.Value]*value      // the values that have slots
	storage  map[*ssa.Alloc]*value     // the variables that live in the frame
	lent     []*value                  // those of them whose address other functions get
	folded   map[ssa.Instruction]bool  // nothing is emitted here: the users do it
	appends  map[*ssa.Call][]ssa.Value // of append(s, x, y): the elements
	atomics  map[*ssa.Call]*atomicCall // the calls that are an instruction
	inlines  map[*ssa.Call]*fun        // the calls in whose place the code of the function stands
	buffers  map[*ssa.Call]*value      // of append: whether its first buffer is used; see findBuffers
	buffered []*value                  // the same, in the order of the code

	starts []label // of blocks
	stubs  []func()
	tick   int            // the current SSA instruction, for temporary slots
	wraps  map[string]int // number of wrappers of each kind

	params, results []slot // where each parameter is, and where each result goes

	caller *fun  // in whose code this one's stands; nil if it has its own
	end    label // then, where it goes on after a return
}

// newFun returns a fun for fn that emits its code into w.
func newFun(c *compiler, fn *ssa.Function, w *code) *fun {
	return &fun{
		code: w, c: c, sf: fn,
		order: map[*ssa.BasicBlock]int{}, pos: map[ssa.Instruction]int{},
		values: map[ssa.Value]*value{}, storage: map[*ssa.Alloc]*value{},
		folded: map[ssa.Instruction]bool{}, appends: map[*ssa.Call][]ssa.Value{},
		buffers: map[*ssa.Call]*value{}, atomics: map[*ssa.Call]*atomicCall{},
		inlines: map[*ssa.Call]*fun{},
	}
}

// A value is a group of slots that holds an SSA value or a variable.
type value struct {
	id     int
	shape  []bool
	at     slot
	placed bool
	uses   int
	ranges []span // where it is live
}

// maxFrameVar is the size in bytes up to which a variable may live in the
// frame. Larger ones are allocated, so that frames stay small.
const maxFrameVar = 8 << 10

// maxSlots is the number of slots that operands can name.
const maxSlots = 1 << 16

// analyze orders the blocks and decides what is folded.
func (f *fun) analyze() {
	f.orderBlocks()
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				f.findAtomic(call)
				f.inlineCall(call)
			}
		}
	}
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call:
				f.foldAppend(instr)
			case *ssa.BinOp:
				f.folded[instr] = f.isBranchCompare(instr)
			case *ssa.FieldAddr, *ssa.IndexAddr:
				if isConstAddr(instr) && f.onlyAccessed(instr.(ssa.Value)) {
					f.folded[instr] = true
				}
			case *ssa.Alloc:
				if f.c.byValue(instr) {
					f.folded[instr], f.folded[initOf(instr)] = true, true
					break
				}
				t := derefOf(instr.Type())
				switch {
				case sizeOf(t) > maxFrameVar:
				case doesNotEscape(instr):
					f.storage[instr] = f.newValue(shapeOf(t))
				case f.c.isLent(instr):
					f.storage[instr] = f.newValue(shapeOf(t))
					f.lent = append(f.lent, f.storage[instr])
				}
			}
		}
	}
	f.findBuffers()
	if f.sf.Recover != nil {
		f.defers = f.newValue([]bool{true})
	}
	for _, p := range f.sf.FreeVars {
		_, shape := f.binding(p)
		f.values[p] = f.newValue(shape)
	}
	for _, b := range f.blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if !ok || f.folded[instr] || f.viewed(v) != nil {
				continue
			}
			if r, ok := instr.(*ssa.Range); ok {
				shape := mapRange
				if isString(r.X.Type()) {
					shape = []bool{true, false, false} // string, index
				}
				f.values[v] = f.newValue(shape)
			} else if _, ok := v.Type().(*types.Tuple); !ok {
				f.values[v] = f.newValue(f.shape1(v.Type(), v.Pos()))
			}
		}
	}
}

func (f *fun) newValue(shape []bool) *value {
	return &value{shape: shape}
}

// shape1 is shapeOf for a value that must fit into slots.
func (f *fun) shape1(t types.Type, pos token.Pos) []bool {
	if n := slotsOf(t); n >= maxSlots {
		f.c.refuse(pos, "function too large: a value of type %s needs %d slots, and a frame of the machine has %d", typeName(t), n, maxSlots)
	}
	return shapeOf(t)
}

// orderBlocks puts the blocks into an order in which loops are contiguous and
// each block comes after the one that dominates it.
func (f *fun) orderBlocks() {
	seen := make([]bool, len(f.sf.Blocks))
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for _, s := range slices.Backward(b.Succs) {
			if !seen[s.Index] {
				visit(s)
			}
		}
		f.blocks = append(f.blocks, b)
	}
	visit(f.sf.Blocks[0])
	slices.Reverse(f.blocks)
	if f.sf.Recover != nil {
		f.blocks = append(f.blocks, f.sf.Recover) // nothing leads there
	}
	for i, b := range f.blocks {
		f.order[b] = i
	}
}

// isBranchCompare reports whether b is a comparison of scalars that only the
// end of its own block looks at: it becomes a compare-and-branch.
func (f *fun) isBranchCompare(b *ssa.BinOp) bool {
	if !isComparison(b.Op) || !isWord(b.X.Type()) {
		return false
	}
	refs := *b.Referrers()
	if len(refs) != 1 {
		return false
	}
	last, ok := refs[0].(*ssa.If)
	return ok && last.Block() == b.Block()
}

func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// isWord reports whether values of t are compared as one integer.
func isWord(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Signature, *types.Chan, *types.Map:
		return true
	}
	return false
}

// isConstAddr reports whether instr adds a constant to the address of a struct
// or an array. A constant index may be out of range: the type checker looks
// only at what is written as a constant.
func isConstAddr(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return true
	case *ssa.IndexAddr:
		p, ok := instr.X.Type().Underlying().(*types.Pointer)
		return ok && isIndexOf(instr.Index, p.Elem())
	}
	return false
}

// isIndexOf reports whether v is a constant index of an element of array type t.
func isIndexOf(v ssa.Value, t types.Type) bool {
	n, ok := constInt(v)
	return ok && 0 <= n && n < t.Underlying().(*types.Array).Len()
}

// constInt returns the value of v if it is a constant integer.
func constInt(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil || !isInteger(k.Type()) {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(k.Value))
}

// constOffset returns what such an instruction adds, and to what.
func constOffset(instr ssa.Instruction) (base ssa.Value, off int64) {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return instr.X, fieldOffset(derefOf(instr.X.Type()), instr.Field)
	case *ssa.IndexAddr:
		n, _ := constInt(instr.Index)
		return instr.X, n * sizeOf(derefOf(instr.Type()))
	}
	panic("not a constant address")
}

// onlyAccessed reports whether address v is only loaded from, stored to, used
// by atomic operations, or the base of a constant address: its users can add
// the offset themselves.
func (f *fun) onlyAccessed(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			if f.atomics[ref] == nil || slices.Contains(ref.Call.Args[1:], v) {
				return false
			}
		case *ssa.UnOp:
			if ref.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if ref.Val == v {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !isConstAddr(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// doesNotEscape reports whether address v, and all addresses computed from it,
// are only used to load and store: the variable may live in the frame.
func doesNotEscape(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			if ref.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if ref.Val == v {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !doesNotEscape(ref.(ssa.Value)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// foldAppend recognizes append(s, x, y): the builder makes an array of x and y
// and appends a slice of it. The array is not needed: the elements go straight
// to their place.
func (f *fun) foldAppend(call *ssa.Call) {
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || len(call.Call.Args) != 2 {
		return
	}
	slice, ok := call.Call.Args[1].(*ssa.Slice)
	if !ok || len(*slice.Referrers()) != 1 || slice.Low != nil || slice.High != nil || slice.Max != nil {
		return
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" {
		return
	}
	elems := make([]ssa.Value, derefOf(array.Type()).Underlying().(*types.Array).Len())
	dead := []ssa.Instruction{slice, array}
	for _, ref := range *array.Referrers() {
		if ref == slice {
			continue
		}
		at, ok := ref.(*ssa.IndexAddr)
		if !ok || len(*at.Referrers()) != 1 || !isConstAddr(at) {
			return
		}
		store, ok := (*at.Referrers())[0].(*ssa.Store)
		if !ok || store.Addr != at {
			return
		}
		i, _ := constInt(at.Index)
		elems[i] = store.Val
		dead = append(dead, at, store)
	}
	if slices.Contains(elems, nil) {
		return
	}
	f.appends[call] = elems
	for _, instr := range dead {
		f.folded[instr] = true
	}
}

// rep returns the value that v is only another type of.
func rep(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Convert:
			if !sameSlot(x.X.Type(), x.Type()) {
				return v
			}
			v = x.X
		default:
			return v
		}
	}
}

// sameSlot reports whether converting an integer changes nothing in its slot.
func sameSlot(from, to types.Type) bool {
	if !isInteger(from) || !isInteger(to) {
		return false
	}
	fs, ts := sizeOf(from), sizeOf(to)
	return ts == 8 || isUnsigned(from) && fs < ts || isUnsigned(from) == isUnsigned(to) && fs <= ts
}

// viewed returns the value of which v is a part, or another type: v then has
// no slots of its own. It returns nil if v has.
func (f *fun) viewed(v ssa.Value) ssa.Value {
	base, _ := f.view(v)
	if base == v {
		return nil
	}
	return base
}

// view follows v to the value that has slots, or needs none, and returns at
// which of these slots v begins.
func (f *fun) view(v ssa.Value) (base ssa.Value, off int) {
	v = rep(v)
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL && f.c.byValue(x.X) {
			return f.view(f.contents(x.X))
		}
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "len" && b.Name() != "cap" {
			return v, 0
		}
		if _, ok := rep(x.Call.Args[0]).(*ssa.Const); ok || !hasLength(x.Call.Args[0].Type()) {
			return v, 0
		}
		if base, off = f.view(x.Call.Args[0]); b.Name() == "cap" {
			return base, off + 2
		}
		return base, off + 1
	case *ssa.Field:
		at := fieldOffset(x.X.Type(), x.Field)
		if _, ok := rep(x.X).(*ssa.Const); ok || !fillsSlots(x.Type(), at, sizeOf(x.X.Type())) {
			return v, 0
		}
		base, off = f.view(x.X)
		return base, off + int(at/8)
	}
	return v, 0
}

// hasLength reports whether the length of a value of type t is one of its slots.
func hasLength(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok || isString(t)
}

// fillsSlots reports whether a part of type t, at byte off of an object of
// size bytes that lies in slots, can be read and written as slots.
func fillsSlots(t types.Type, off, size int64) bool {
	n := sizeOf(t)
	return off%8 == 0 && (n%8 == 0 || isAggregate(t) && off+n == size)
}

// chain follows the folded instructions that lead to address v.
func (f *fun) chain(v ssa.Value) (root ssa.Value, off int64) {
	for {
		instr, ok := v.(ssa.Instruction)
		if !ok || !f.folded[instr] || !isConstAddr(instr) {
			return v, off
		}
		base, n := constOffset(instr)
		v, off = base, off+n
	}
}

// frameVar returns the variable of the frame into which address v leads, or nil.
func (f *fun) frameVar(v ssa.Value) *value {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return f.storage[x]
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return nil
		}
	}
}

// isNonNil reports whether address v cannot be nil.
func isNonNil(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.FreeVar:
		return true
	}
	return false
}

// needsCheck reports whether computing the address v must fault if its base is
// nil. An address that is only accessed faults when it is accessed, as in Go,
// unless the program writes &p.f.
func (f *fun) needsCheck(instr ssa.Instruction) bool {
	base, _ := constOffset(instr)
	if root, _ := f.chain(base); isNonNil(root) {
		return false
	}
	return !f.folded[instr] || f.c.addressOf[instr.Pos()]
}

// uses calls visit for each value that the code of instr reads.
func (f *fun) uses(instr ssa.Instruction, visit func(*value)) {
	value := func(v ssa.Value) {
		if v == nil {
			return
		}
		base, _ := f.view(v)
		if s := f.frameVar(base); s != nil {
			visit(s)
		}
		if val := f.values[base]; val != nil {
			visit(val)
		}
	}
	access := func(addr ssa.Value, t types.Type) {
		root, off := f.chain(addr)
		alloc, _ := root.(*ssa.Alloc)
		if s := f.storage[alloc]; s != nil {
			visit(s)
			if fillsSlots(t, off, sizeOf(derefOf(alloc.Type()))) {
				return
			}
		}
		value(root)
	}
	all := func() {
		for _, v := range instr.Operands(nil) {
			value(*v)
		}
	}
	switch instr := instr.(type) {
	case *ssa.Phi, *ssa.Extract, *ssa.DebugRef:
		// Phis read at the ends of the blocks before; what is extracted is
		// written by the instruction that makes the tuple.
	case *ssa.FieldAddr, *ssa.IndexAddr:
		if !isConstAddr(instr) {
			all()
			break
		}
		if f.folded[instr] && !f.needsCheck(instr) {
			break
		}
		base, _ := constOffset(instr)
		root, _ := f.chain(base)
		if alloc, ok := root.(*ssa.Alloc); ok && f.storage[alloc] != nil {
			visit(f.storage[alloc])
		} else {
			value(root)
		}
	case *ssa.UnOp:
		if instr.Op == token.MUL {
			access(instr.X, instr.Type())
		} else {
			all()
		}
	case *ssa.Store:
		if f.folded[instr] {
			break
		}
		access(instr.Addr, instr.Val.Type())
		value(instr.Val)
	case *ssa.If:
		if cmp, ok := instr.Cond.(*ssa.BinOp); ok && f.folded[cmp] {
			value(cmp.X)
			value(cmp.Y)
		} else {
			value(instr.Cond)
		}
	case *ssa.MakeClosure:
		for _, b := range instr.Bindings {
			b, _ = f.binding(b)
			value(b)
		}
	case *ssa.Defer: // its DeferStack is always the function's own
		for _, v := range instr.Call.Operands(nil) {
			value(*v)
		}
	case *ssa.Call:
		if elems, ok := f.appends[instr]; ok {
			value(instr.Call.Args[0])
			for _, e := range elems {
				value(e)
			}
			break
		}
		if atomic := f.atomics[instr]; atomic != nil {
			access(instr.Call.Args[0], atomic.variable)
			for _, v := range instr.Call.Args[1:] {
				value(v)
			}
			break
		}
		if f.viewed(instr) == nil {
			all()
		}
	default:
		if v, ok := instr.(ssa.Value); ok && (f.folded[instr] || f.viewed(v) != nil) {
			break
		}
		all()
	}
}

// defs calls visit for each value that the code of instr writes.
func (f *fun) defs(instr ssa.Instruction, visit func(*value)) {
	if a, ok := instr.(*ssa.Alloc); ok && f.storage[a] != nil {
		visit(f.storage[a])
	}
	v, ok := instr.(ssa.Value)
	if !ok {
		return
	}
	if _, ok := v.Type().(*types.Tuple); ok {
		for _, ref := range *v.Referrers() {
			if e, ok := ref.(*ssa.Extract); ok {
				visit(f.values[e])
			}
		}
		return
	}
	if _, ok := instr.(*ssa.Extract); ok {
		return
	}
	if val := f.values[v]; val != nil {
		visit(val)
	}
}
