package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/sample"
)

// A loader brings Go values into a machine's memory, so that the machine's
// formatting can be compared with the real fmt.
type loader struct {
	t     *testing.T
	m     *Machine
	th    *Thread
	types map[reflect.Type]*Type
}

func newLoader(t *testing.T) *loader {
	prog := &Program{
		Code:  []Instr{Enc(TRAP, uint8(TrapMainExit), 0, 0, 0)},
		Funcs: []Func{{Name: "main.main", End: 1}},
		Types: []*Type{nil},

		Layouts: testLayouts,
	}
	m, err := New(prog, Options{MemBytes: 64 << 20})
	require.NoError(t, err)
	l := &loader{t: t, m: m, th: m.NewThread(), types: map[reflect.Type]*Type{}}
	l.typ(reflect.TypeFor[string]())
	return l
}

// typ makes the machine's type for a Go type.
func (l *loader) typ(t reflect.Type) *Type {
	if mt, ok := l.types[t]; ok {
		return mt
	}
	mt := &Type{ID: len(l.m.Program.Types), Name: t.String(), Size: int64(t.Size())}
	l.types[t] = mt
	l.m.Program.Types = append(l.m.Program.Types, mt)
	mt.Kind = map[reflect.Kind]Kind{
		reflect.Bool: KindBool, reflect.Int: KindInt, reflect.Int8: KindInt8, reflect.Int16: KindInt16,
		reflect.Int32: KindInt32, reflect.Int64: KindInt64, reflect.Uint: KindUint, reflect.Uint8: KindUint8,
		reflect.Uint16: KindUint16, reflect.Uint32: KindUint32, reflect.Uint64: KindUint64, reflect.Uintptr: KindUintptr,
		reflect.Float32: KindFloat32, reflect.Float64: KindFloat64, reflect.String: KindString,
		reflect.Pointer: KindPointer, reflect.Func: KindFunc, reflect.Array: KindArray, reflect.Slice: KindSlice,
		reflect.Struct: KindStruct, reflect.Interface: KindInterface,
	}[t.Kind()]
	require.NotZero(l.t, mt.Kind, "%v", t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Array, reflect.Slice:
		mt.Elem = l.typ(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			mt.Fields = append(mt.Fields, Field{Name: f.Name, Offset: int64(f.Offset), Type: l.typ(f.Type)})
		}
	}
	if t.Kind() == reflect.Array {
		mt.Len = int64(t.Len())
	}
	return mt
}

func (l *loader) alloc(n int64) (Addr, []byte) {
	addr, ok := l.th.Alloc(n)
	require.True(l.t, ok)
	return addr, l.m.Bytes(addr, n)
}

// store writes v to mem, and what it refers to to new objects.
func (l *loader) store(mem []byte, v reflect.Value) {
	word := func(i int, x uint64) { binary.LittleEndian.PutUint64(mem[8*i:], x) }
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			mem[0] = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(v.Int()))
		copy(mem, b[:v.Type().Size()])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v.Uint())
		copy(mem, b[:v.Type().Size()])
	case reflect.Float32:
		binary.LittleEndian.PutUint32(mem, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		word(0, math.Float64bits(v.Float()))
	case reflect.String:
		addr, text := l.alloc(int64(v.Len()))
		copy(text, v.String())
		word(0, uint64(addr))
		word(1, uint64(v.Len()))
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		size := int64(v.Type().Elem().Size())
		addr, elems := l.alloc(int64(v.Len()) * size)
		for i := range v.Len() {
			l.store(elems[int64(i)*size:int64(i+1)*size], v.Index(i))
		}
		word(0, uint64(addr))
		word(1, uint64(v.Len()))
		word(2, uint64(v.Len()))
	case reflect.Array:
		size := int(v.Type().Elem().Size())
		for i := range v.Len() {
			l.store(mem[i*size:(i+1)*size], v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			l.store(mem[f.Offset:f.Offset+f.Type.Size()], v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			addr, obj := l.alloc(int64(v.Type().Elem().Size()))
			l.store(obj, v.Elem())
			word(0, uint64(addr))
		}
	case reflect.Interface:
		if !v.IsNil() {
			id, data := l.iface(v.Elem())
			word(0, id)
			word(1, data)
		}
	default:
		l.t.Fatalf("cannot load a %v", v.Type())
	}
}

// iface makes an interface of v.
func (l *loader) iface(v reflect.Value) (id, data uint64) {
	t := l.typ(v.Type())
	addr, obj := l.alloc(t.Size)
	l.store(obj, v)
	if t.Direct() {
		return uint64(t.ID), l.m.Word(addr)
	}
	return uint64(t.ID), uint64(addr)
}

// format runs HostFormat.
func (l *loader) format(kind int, format string, args ...any) string {
	addr, b := l.alloc(14 * 8)
	word := func(i int, x uint64) { binary.LittleEndian.PutUint64(b[8*i:], x) }
	word(0, uint64(kind))
	l.store(b[8:24], reflect.ValueOf(format))
	l.store(b[24:48], reflect.ValueOf(args))
	var c Context
	trap := hosts[HostFormat](l.th, &c, addr)
	require.Equal(l.t, TrapNone, trap)
	require.Zero(l.t, l.m.Word(addr+8*11), "wants a method")
	return l.m.String(Addr(l.m.Word(addr+8*9)), int64(l.m.Word(addr+8*10)))
}

type (
	myInt    int
	myString string
	point    struct{ X, Y int8 }
	line     struct {
		A, B  point
		Name  string
		inner []point
		any   any
		p     *point
	}
)

// TestFormatLikeFmt formats many values by many verbs and flags, and expects
// what the real fmt gives.
func TestFormatLikeFmt(t *testing.T) {
	l := newLoader(t)
	values := []any{
		nil, 0, 1, -1, 42, int8(-128), int16(300), int32('x'), int64(1 << 40), uint(7), uint8(255), uint16(65535),
		uint32(1 << 31), uint64(1<<64 - 1), uintptr(77), true, false, 0.0, 1.0, -2.5, 1e21, 1e-7, 3.14159265,
		float32(0.1), math.Inf(1), math.Inf(-1), math.NaN(), "", "hello", "héllo\n\"q\"", "tick`", "\x80",
		[]byte("bytes"), []byte(nil), [3]byte{1, 2, 3}, []int{1, -2, 3}, []int(nil), []string{"a", "b c"}, [2]bool{true},
		point{1, -2}, []point{{1, 2}, {3, 4}}, &point{5, 6}, (*point)(nil), &[]int{1}, &[2]string{"x"},
		line{point{1, 2}, point{3, 4}, "l", []point{{5, 6}}, 7, nil}, []any{1, "a", nil, 2.5, point{}}, myInt(5),
		myString("s"), []myInt{1, 2}, struct{}{}, [0]int{}, [][]int{{1}, {2, 3}, nil}, []float64{1, 2.5},
		struct{ a, b any }{nil, "x"}, []uint8{}, []rune("hé"),
	}
	verbs := "vdsqxXtTcUobOeEfFgGwz!"
	flags := []string{"", "+", "-", "#", " ", "0", "+-", "#0", " +", "-0", "+#"}
	widths := []string{"", "1", "8", "08", ".0", ".3", "10.2", "6.", ".", "-12"}
	rng := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, v := range values {
		for _, verb := range verbs {
			for _, f := range flags {
				for _, w := range widths {
					if rng.IntN(3) != 0 {
						continue
					}
					format := "%" + f + w + string(verb)
					want := fmt.Sprintf(format, v)
					if strings.Contains(want, "0xc0") { // a Go address
						continue
					}
					n++
					if got := l.format(FormatPrintf, format, v); got != want {
						t.Errorf("%q of %#v: got %q, fmt gives %q", format, v, got, want)
					}
				}
			}
		}
		if want := fmt.Sprint(v, v, "s", v); !strings.Contains(want, "0xc0") {
			assert.Equal(t, want, l.format(FormatPrint, "", v, v, "s", v))
			assert.Equal(t, fmt.Sprintln(v, "s", v), l.format(FormatPrintln, "", v, "s", v))
		}
	}
	assert.Greater(t, n, 10_000)
}

// TestFormatStringLikeFmt is about the reading of format strings.
func TestFormatStringLikeFmt(t *testing.T) {
	l := newLoader(t)
	args := []any{1, "two", 3.5, -4}
	pieces := []string{"%d", "%s", "%v", "%%", "%", "%!", "%5", "%[1]d", "%[3]*.[2]*[1]f", "%[5]d", "%[x]d", "%[", "%[2]", "%*d", "%-*d", "%.*f", "%.*d", "x", "é", " ", "%[4]*d", "%[1]5d", "%5[1]d", "%.[1]d", "%+v", "%#v", "%T", "%99999999d", "%.9999999f", "%c", "%[2]*d", "%[0]d", "%-010d", "%1[2]d", "%w"}
	rng := rand.New(rand.NewPCG(5, 6))
	for range sample.Of(500, 2000, 20_000) {
		var b strings.Builder
		for range rng.IntN(4) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		a := args[:rng.IntN(len(args)+1)]
		want := fmt.Sprintf(b.String(), a...)
		if got := l.format(FormatPrintf, b.String(), a...); got != want {
			t.Fatalf("%q of %v: got %q, fmt gives %q", b.String(), a, got, want)
		}
		if l.m.arena.lo > 40<<20 {
			l = newLoader(t)
		}
	}
}

// TestSelfContaining: a value that contains itself is a fault of the program,
// not the end of the process.
func TestSelfContaining(t *testing.T) {
	l := newLoader(t)
	l.typ(reflect.TypeFor[[]any]())
	addr, b := l.alloc(14 * 8)
	inner, elem := l.alloc(16)
	binary.LittleEndian.PutUint64(b[24:], uint64(inner))
	binary.LittleEndian.PutUint64(b[32:], 1)
	header, h := l.alloc(24)
	binary.LittleEndian.PutUint64(h, uint64(inner))
	binary.LittleEndian.PutUint64(h[8:], 1)
	binary.LittleEndian.PutUint64(elem, uint64(l.types[reflect.TypeFor[[]any]()].ID))
	binary.LittleEndian.PutUint64(elem[8:], uint64(header))
	var c Context
	assert.Equal(t, TrapFault, hosts[HostFormat](l.th, &c, addr))
}

func TestPanicString(t *testing.T) {
	l := newLoader(t)
	tests := []struct {
		v    any
		want string
	}{
		{"boom", "boom"},
		{"two\nlines", "two\n\tlines"},
		{42, "42"},
		{int8(-3), "-3"},
		{uint64(1 << 63), "9223372036854775808"},
		{true, "true"},
		{2.5, "2.5"},
		{float32(0.1), "0.1"},
		{1e100, "1e+100"},
		{myInt(-7), "machine.myInt(-7)"},
		{myString("a\nb"), "machine.myString(\"a\n\tb\")"},
	}
	for _, test := range tests {
		id, data := l.iface(reflect.ValueOf(test.v))
		assert.Equal(t, test.want, l.m.PanicString(int(id), data))
	}
	assert.Equal(t, "panic called with nil argument", l.m.PanicString(0, 0))
	id, data := l.iface(reflect.ValueOf(point{1, 2}))
	assert.Equal(t, fmt.Sprintf("(machine.point) %#x", data), l.m.PanicString(int(id), data))
	id, _ = l.iface(reflect.ValueOf("x"))
	assert.Equal(t, "(string) 0x3", l.m.PanicString(int(id), 3), "an address that is none")
}

// anyOf returns v as an interface value, not as what is in it.
func anyOf(v any) reflect.Value { return reflect.ValueOf(&v).Elem() }
