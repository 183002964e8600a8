package compile

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"gosched/chapters/machine"
)

// sizes is the layout of types in memory: that of Go on amd64.
var sizes = types.SizesFor("gc", "amd64")

// sizeOf returns the bytes of a value of type t. The SSA form keeps the untyped
// type of some constants.
func sizeOf(t types.Type) int64 { return sizes.Sizeof(types.Default(t)) }

// slotsOf returns the number of slots of a value of type t.
func slotsOf(t types.Type) int { return int((sizeOf(t) + 7) / 8) }

// isAggregate reports whether values of t fill their slots as they fill memory.
func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// basicOf returns the basic type under t, or nil.
func basicOf(t types.Type) *types.Basic {
	b, _ := t.Underlying().(*types.Basic)
	return b
}

func hasInfo(t types.Type, info types.BasicInfo) bool {
	b := basicOf(t)
	return b != nil && b.Info()&info != 0
}

func isString(t types.Type) bool   { return hasInfo(t, types.IsString) }
func isFloat(t types.Type) bool    { return hasInfo(t, types.IsFloat) }
func isInteger(t types.Type) bool  { return hasInfo(t, types.IsInteger) }
func isUnsigned(t types.Type) bool { return hasInfo(t, types.IsUnsigned) }

// derefOf returns the type that a pointer of type t points to.
func derefOf(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// fieldOffset returns the offset in bytes of the i-th field of struct type t.
func fieldOffset(t types.Type, i int) int64 {
	s := t.Underlying().(*types.Struct)
	fields := make([]*types.Var, i+1)
	for j := range fields {
		fields[j] = s.Field(j)
	}
	return sizes.Offsetsof(fields)[i]
}

// shapeOf returns for each slot of a value of type t whether it holds an
// address.
func shapeOf(t types.Type) []bool {
	shape := make([]bool, slotsOf(t))
	markPointers(shape, t, 0)
	return shape
}

func markPointers(shape []bool, t types.Type, off int64) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer {
			shape[off/8] = true
		}
	case *types.Pointer, *types.Signature, *types.Chan, *types.Map, *types.Slice:
		shape[off/8] = true
	case *types.Interface:
		shape[off/8+1] = true
	case *types.Array:
		if u.Len() == 0 || !hasPointers(u.Elem()) {
			return
		}
		for i := range u.Len() {
			markPointers(shape, u.Elem(), off+i*sizeOf(u.Elem()))
		}
	case *types.Struct:
		for i := range u.NumFields() {
			markPointers(shape, u.Field(i).Type(), off+fieldOffset(t, i))
		}
	}
}

// hasPointers reports whether a value of type t holds an address.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if hasPointers(u.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// layoutOf returns the number of the layout of type t in Program.Layouts.
func (c *compiler) layoutOf(t types.Type) int {
	var shape []bool
	if hasPointers(t) {
		shape = shapeOf(t)
	}
	return c.layout(sizeOf(t), shape)
}

// layout returns the number of the layout of size bytes with the given shape.
func (c *compiler) layout(size int64, shape []bool) int {
	l := machine.Layout{Size: size}
	for i, ptr := range shape {
		if ptr {
			for len(l.Pointers) <= i>>6 {
				l.Pointers = append(l.Pointers, 0)
			}
			l.Pointers[i>>6] |= 1 << (i & 63)
		}
	}
	key := fmt.Sprint(l)
	i, ok := c.layoutNos[key]
	if !ok {
		i = len(c.layouts)
		c.layouts, c.layoutNos[key] = append(c.layouts, l), i
	}
	return i
}

// pointerLayout is layoutOf for a type that has pointers; for others it is 0.
func (c *compiler) pointerLayout(t types.Type) int {
	if !hasPointers(t) {
		return 0
	}
	return c.layoutOf(t)
}

// entryLayout returns the layout of an entry of a map, 0 if it has no pointers: the hash,
// the key and the value, each in whole words.
func (c *compiler) entryLayout(m *types.Map) int {
	if !hasPointers(m.Key()) && !hasPointers(m.Elem()) {
		return 0
	}
	shape := slices.Concat([]bool{false}, shapeOf(m.Key()), shapeOf(m.Elem()))
	return c.layout(8*int64(len(shape)), shape)
}

// typeTable makes the types of the running program. Identical types get the
// same id.
type typeTable struct {
	byType typeutil.Map // types.Type → *machine.Type
	all    []*machine.Type
	source []types.Type // what each of all was made of

	methodIDs map[string]int // method name and signature → id
	wanted    []*types.Func  // by id, less one: a method with this name and signature
}

var basicKinds = map[types.BasicKind]machine.Kind{
	types.Bool: machine.KindBool, types.Int: machine.KindInt, types.Int8: machine.KindInt8,
	types.Int16: machine.KindInt16, types.Int32: machine.KindInt32, types.Int64: machine.KindInt64,
	types.Uint: machine.KindUint, types.Uint8: machine.KindUint8, types.Uint16: machine.KindUint16,
	types.Uint32: machine.KindUint32, types.Uint64: machine.KindUint64, types.Uintptr: machine.KindUintptr,
	types.Float32: machine.KindFloat32, types.Float64: machine.KindFloat64, types.String: machine.KindString,
	types.UnsafePointer: machine.KindUnsafePointer,
}

// of returns the run-time type of t.
func (tt *typeTable) of(t types.Type) *machine.Type {
	t = types.Unalias(t)
	if rt, ok := tt.byType.At(t).(*machine.Type); ok {
		return rt
	}
	if len(tt.all) == 0 {
		tt.all, tt.source = append(tt.all, nil), append(tt.source, nil)
	}
	rt := &machine.Type{ID: len(tt.all), Name: typeName(t), Size: sizeOf(t)}
	tt.all, tt.source = append(tt.all, rt), append(tt.source, t)
	tt.byType.Set(t, rt) // before the parts, which may lead back to it

	switch n := t.(type) {
	case *types.Named:
		rt.Named = true
	case *types.Basic:
		rt.Named = n.Kind() != types.UnsafePointer
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		rt.Kind = basicKinds[u.Kind()]
	case *types.Pointer:
		rt.Kind, rt.Elem = machine.KindPointer, tt.of(u.Elem())
	case *types.Signature:
		rt.Kind = machine.KindFunc
	case *types.Array:
		rt.Kind, rt.Elem, rt.Len = machine.KindArray, tt.of(u.Elem()), u.Len()
	case *types.Slice:
		rt.Kind, rt.Elem = machine.KindSlice, tt.of(u.Elem())
	case *types.Struct:
		rt.Kind = machine.KindStruct
		for i := range u.NumFields() {
			f := u.Field(i)
			rt.Fields = append(rt.Fields, machine.Field{Name: f.Name(), Offset: fieldOffset(t, i), Type: tt.of(f.Type())})
		}
	case *types.Interface:
		rt.Kind = machine.KindInterface
		for i := range u.NumMethods() {
			m := u.Method(i)
			rt.Fields = append(rt.Fields, machine.Field{Name: m.Name(), Offset: int64(tt.methodID(m))})
		}
	case *types.Chan:
		rt.Kind, rt.Elem = machine.KindChan, tt.of(u.Elem())
	case *types.Map:
		rt.Kind, rt.Key, rt.Elem = machine.KindMap, tt.of(u.Key()), tt.of(u.Elem())
	}
	return rt
}

// methodID returns the id of the methods with the name and signature of m.
func (tt *typeTable) methodID(m *types.Func) int {
	key := methodKey(m)
	id, ok := tt.methodIDs[key]
	if !ok {
		tt.wanted = append(tt.wanted, m)
		id = len(tt.wanted)
		tt.methodIDs[key] = id
	}
	return id
}

// methodKey returns what methods with the same id have in common.
func methodKey(m *types.Func) string {
	var b strings.Builder
	b.WriteString(m.Id())
	writeSignature(&b, m.Signature())
	return b.String()
}

// typeName returns the name of t as %T prints it. It differs from the type
// checker's in details: interface {}, uint8 for byte, package names alone.
func typeName(t types.Type) string {
	var b strings.Builder
	writeType(&b, t)
	return b.String()
}

func writeType(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.Uint8:
			b.WriteString("uint8")
		case types.Int32:
			b.WriteString("int32")
		default:
			b.WriteString(t.Name())
		}
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg != nil {
			b.WriteString(pkg.Name() + ".")
		}
		b.WriteString(t.Obj().Name())
		if args := t.TypeArgs(); args.Len() > 0 {
			b.WriteByte('[')
			for i := range args.Len() {
				if i > 0 {
					b.WriteByte(',')
				}
				writeType(b, args.At(i))
			}
			b.WriteByte(']')
		}
	case *types.Pointer:
		b.WriteByte('*')
		writeType(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		writeType(b, t.Elem())
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		writeType(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		writeType(b, t.Key())
		b.WriteByte(']')
		writeType(b, t.Elem())
	case *types.Chan:
		b.WriteString(map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()])
		writeType(b, t.Elem())
	case *types.Struct:
		b.WriteString("struct {")
		for i := range t.NumFields() {
			f := t.Field(i)
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
			if !f.Embedded() {
				b.WriteString(f.Name() + " ")
			}
			writeType(b, f.Type())
			if tag := t.Tag(i); tag != "" {
				fmt.Fprintf(b, " %q", tag)
			}
		}
		if t.NumFields() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case *types.Signature:
		b.WriteString("func")
		writeSignature(b, t)
	case *types.Interface:
		b.WriteString("interface {")
		for i := range t.NumMethods() {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteString(" " + t.Method(i).Name())
			writeSignature(b, t.Method(i).Type().(*types.Signature))
		}
		if t.NumMethods() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	default:
		b.WriteString(t.String())
	}
}

// writeSignature writes the parameters and results of a function type.
func writeSignature(b *strings.Builder, s *types.Signature) {
	list := func(tuple *types.Tuple, variadic bool) {
		b.WriteByte('(')
		for i := range tuple.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			t := tuple.At(i).Type()
			if variadic && i == tuple.Len()-1 {
				b.WriteString("...")
				t = t.Underlying().(*types.Slice).Elem()
			}
			writeType(b, t)
		}
		b.WriteByte(')')
	}
	list(s.Params(), s.Variadic())
	switch s.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		writeType(b, s.Results().At(0).Type())
	default:
		b.WriteByte(' ')
		list(s.Results(), false)
	}
}
