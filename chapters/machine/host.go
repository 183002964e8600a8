package machine

import (
	"bytes"
	"encoding/binary"
	"math"
	"sort"
	"strconv"
	"unicode/utf8"
)

// A hostFunc is what the instruction HOST calls: work that would be slow or
// long-winded as instructions, done in place by Go code. args is the address
// of its block of arguments; results follow the arguments. It never switches
// goroutines. It returns TrapNone, or the trap that Run is to return; after a
// trap that is not a call into the runtime, it has had no effect.
//
// No argument is an address in the stack: a block may be copied with the
// stack, between the instructions that fill it and HOST, without being looked
// at.
type hostFunc func(t *Thread, c *Context, args Addr) Trap

// A Host is the number of a host function, the immediate of HOST.
type Host int32

// The host functions with their blocks, arguments → results, one slot for each
// word unless it says otherwise. A string is address, length; a slice address,
// length, capacity.
const (
	// Strings.
	HostConcat         Host = iota // string, string → string
	HostEqualStrings               // string, string → bool
	HostCompareStrings             // string, string → -1, 0 or 1
	HostDecodeRune                 // string, index below its length → rune, index of the next
	HostIntToString                // integer → string of that code point
	HostStringToBytes              // string → slice
	HostStringToRunes              // string → slice
	HostBytesToString              // slice → string
	HostRunesToString              // slice → string

	// Values of any type.
	HostEqual // type id, value, value → bool; values as they lie in slots

	// Slices.
	HostGrowSlice    // slice, new length, layout of an element, 1 if it has pointers → address, capacity
	HostMakeSlice    // length, capacity, layout of an element → address
	HostSliceToArray // slice, length of the array → address

	// Maps; see hostmap.go. A map is an address, 0 for nil.
	HostMakeMap    // type id, expected number of entries → map, in the place of the number
	HostMapAccess  // type id, map, key → address of the value, 0 if there is none
	HostMapAssign  // type id, map, key → address of the value, of a new entry if there was none
	HostMapDelete  // type id, map, key
	HostMapClear   // type id, map
	HostMapIterate // type id, map → five words, the state of an iteration
	HostMapNext    // type id, map, state → the new state in its place, addresses of key and value, 0 at the end

	// Floats, with Go's rules for NaN and zeros. size is 4 or 8.
	HostMinFloat // x, y, size → float
	HostMaxFloat // x, y, size → float

	// Interfaces.
	HostMethod      // type id, method id → closure of the method; faults if the type is nil
	HostImplements  // type id, type id of an interface → bool
	HostAssertPanic // type id, static type id of the interface, asserted type id; always panics
	HostPanicMethod // interface → closure of its method Error or String, or 0; receiver

	// Panics; see panic.go.
	HostNextDefer    // → closure, number of frames out
	HostRecover      // → interface
	HostRecovery     // number of frames out; does not come back
	HostPanicAt      // index → address of the record or 0, bool
	HostRuntimeError // → kind, string

	// Of single packages.
	HostArgs  // → slice of strings: os.Args
	HostQuote // string → string: strconv.Quote

	// Formatting. operands is a slice of interfaces. The machine cannot call
	// the program's methods Error, String and GoString, so when it needs one it
	// returns it, and is called again with the texts that all calls so far
	// returned.
	HostFormat // kind, format, operands, slice of texts → string, closure or 0, receiver, index of the operand of %w or -1
	HostPrint  // n, 1 for println, then n slots: type id and value of each operand → string
)

// The kinds of HostFormat.
const (
	FormatPrint   = iota // fmt.Sprint
	FormatPrintln        // fmt.Sprintln
	FormatPrintf         // fmt.Sprintf
	FormatErrorf         // fmt.Errorf
)

// Method ids number the methods of a program, by name and signature. These are
// the same in all programs. The Fields of an interface type are its methods;
// Offset is the id.
const (
	MethodError    = 1 + iota // Error() string
	MethodString              // String() string
	MethodGoString            // GoString() string
)

// hosts are the host functions by number.
var hosts = []hostFunc{
	HostConcat:         host(hostConcat),
	HostEqualStrings:   host(hostEqualStrings),
	HostCompareStrings: host(hostCompareStrings),
	HostDecodeRune:     host(hostDecodeRune),
	HostIntToString:    host(hostIntToString),
	HostStringToBytes:  host(hostStringToBytes),
	HostStringToRunes:  host(hostStringToRunes),
	HostBytesToString:  host(hostBytesToString),
	HostRunesToString:  host(hostRunesToString),
	HostEqual:          host(hostEqual),
	HostGrowSlice:      host(hostGrowSlice),
	HostMakeSlice:      host(hostMakeSlice),
	HostSliceToArray:   host(hostSliceToArray),
	HostMakeMap:        host(hostMakeMap),
	HostMapAccess:      host(hostMapAccess),
	HostMapAssign:      host(hostMapAssign),
	HostMapDelete:      host(hostMapDelete),
	HostMapClear:       host(hostMapClear),
	HostMapIterate:     host(hostMapIterate),
	HostMapNext:        host(hostMapNext),
	HostMinFloat:       host(hostMinFloat),
	HostMaxFloat:       host(hostMaxFloat),
	HostMethod:         host(hostMethod),
	HostImplements:     host(hostImplements),
	HostAssertPanic:    host(hostAssertPanic),
	HostPanicMethod:    host(hostPanicMethod),
	HostNextDefer:      host(hostNextDefer),
	HostRecover:        host(hostRecover),
	HostRecovery:       host(hostRecovery),
	HostPanicAt:        host(hostPanicAt),
	HostRuntimeError:   host(hostRuntimeError),
	HostArgs:           host(hostArgs),
	HostQuote:          host(hostQuote),
	HostFormat:         host(hostFormat),
	HostPrint:          host(hostPrint),
}

// A block is the block of arguments of a host function at work.
type block struct {
	t    *Thread
	c    *Context
	args Addr
}

// A badAddress is the panic by which a host function gives up when the program
// hands it an address outside memory.
type badAddress Addr

// host makes a hostFunc of f: a bad address becomes a fault of the program.
func host(f func(b block) Trap) hostFunc {
	return func(t *Thread, c *Context, args Addr) (trap Trap) {
		defer func() {
			if r := recover(); r != nil {
				bad, ok := r.(badAddress)
				if !ok {
					panic(r)
				}
				c.Fault, trap = Addr(bad), TrapFault
			}
		}()
		return f(block{t, c, args})
	}
}

// word returns the i-th slot of the block, set changes it.
func (b block) word(i int) uint64   { return b.t.m.words[b.args>>3+Addr(i)] }
func (b block) set(i int, v uint64) { b.t.m.words[b.args>>3+Addr(i)] = v }

// checked returns the n bytes at addr, which comes from the program.
func (m *Memory) checked(addr uint64, n int64) []byte {
	if !m.Valid(Addr(addr), n) {
		panic(badAddress(addr))
	}
	return m.Bytes(Addr(addr), n)
}

// bytes returns the bytes of the string, or of the elements of the slice, that
// begins at slot i. They are memory itself, not a copy.
func (b block) bytes(i int, size int64) []byte {
	return b.t.m.checked(b.word(i), int64(b.word(i+1))*size)
}

// panics is the trap of a runtime error.
func (b block) panics(code PanicCode, x, y uint64) Trap {
	b.c.Panic, b.c.X, b.c.Y = code, int64(x), int64(y)
	return TrapPanic
}

// panicText is the trap of a runtime error with a text of its own.
func (b block) panicText(code PanicCode, text string) Trap {
	if !b.t.panicText(b.c, code, text) {
		b.c.Fault = Addr(len(text))
		return TrapOutOfMemory
	}
	return TrapPanic
}

// alloc returns a new object of n bytes and its memory. As long as it may fail, the host
// function must have had no effect.
func (b block) alloc(n int64, k kind) (Addr, []byte, Trap) {
	addr, trap := b.t.mallocgc(b.c, n, k)
	if trap != TrapNone {
		return 0, nil, trap
	}
	return addr, b.t.m.Bytes(addr, n), TrapNone
}

// layout returns the layout whose number is in slot i, and the kind of objects of such
// elements.
func (b block) layout(i int) (*Layout, kind) {
	n, all := b.word(i), b.t.m.Program.Layouts
	if n >= uint64(len(all)) {
		panic(badAddress(n))
	}
	return &all[n], all[n].kind(int(n))
}

// setString makes a new string of text the result at slot i.
func (b block) setString(i int, text []byte) Trap {
	if len(text) == 0 {
		b.set(i, 0)
		b.set(i+1, 0)
		return TrapNone
	}
	addr, mem, trap := b.alloc(int64(len(text)), 0)
	if trap == TrapNone {
		copy(mem, text)
		b.set(i, uint64(addr))
		b.set(i+1, uint64(len(text)))
	}
	return trap
}

func hostConcat(b block) Trap {
	x, y := b.bytes(0, 1), b.bytes(2, 1)
	switch {
	case len(x) == 0: // as Go, no copy if only one is not empty
		b.set(4, b.word(2))
		b.set(5, b.word(3))
		return TrapNone
	case len(y) == 0:
		b.set(4, b.word(0))
		b.set(5, b.word(1))
		return TrapNone
	}
	addr, mem, trap := b.alloc(int64(len(x))+int64(len(y)), 0)
	if trap == TrapNone {
		copy(mem[copy(mem, x):], y)
		b.set(4, uint64(addr))
		b.set(5, uint64(len(mem)))
	}
	return trap
}

func hostEqualStrings(b block) Trap {
	b.set(4, bit(string(b.bytes(0, 1)) == string(b.bytes(2, 1))))
	return TrapNone
}

func hostCompareStrings(b block) Trap {
	b.set(4, uint64(bytes.Compare(b.bytes(0, 1), b.bytes(2, 1))))
	return TrapNone
}

func hostDecodeRune(b block) Trap {
	text, i := b.bytes(0, 1), int64(b.word(2))
	if i < 0 || i >= int64(len(text)) {
		panic(badAddress(b.word(0) + uint64(i)))
	}
	r, n := utf8.DecodeRune(text[i:])
	b.set(3, uint64(r))
	b.set(4, uint64(i)+uint64(n))
	return TrapNone
}

func hostIntToString(b block) Trap {
	r := rune(utf8.RuneError)
	if n := int64(b.word(0)); n == int64(rune(n)) {
		r = rune(n)
	}
	return b.setString(1, utf8.AppendRune(nil, r))
}

func hostStringToBytes(b block) Trap {
	text := b.bytes(0, 1)
	room := roundUpSize(int64(len(text)), false)
	addr, mem, trap := b.alloc(room, 0)
	if trap == TrapNone {
		copy(mem, text)
		b.set(2, uint64(addr))
		b.set(3, uint64(len(text)))
		b.set(4, uint64(room))
	}
	return trap
}

func hostStringToRunes(b block) Trap {
	text := b.bytes(0, 1)
	n := utf8.RuneCount(text)
	room := roundUpSize(4*int64(n), false)
	addr, mem, trap := b.alloc(room, 0)
	if trap == TrapNone {
		for i := 0; len(text) > 0; i++ {
			r, size := utf8.DecodeRune(text)
			binary.LittleEndian.PutUint32(mem[4*i:], uint32(r))
			text = text[size:]
		}
		b.set(2, uint64(addr))
		b.set(3, uint64(n))
		b.set(4, uint64(room/4))
	}
	return trap
}

func hostBytesToString(b block) Trap { return b.setString(3, b.bytes(0, 1)) }

func hostRunesToString(b block) Trap {
	var text []byte
	runes := b.bytes(0, 4)
	for ; len(runes) > 0; runes = runes[4:] {
		text = utf8.AppendRune(text, rune(binary.LittleEndian.Uint32(runes)))
	}
	return b.setString(3, text)
}

func hostEqual(b block) Trap {
	typ := b.t.m.typeByID(b.word(0))
	n := Addr(typ.Size+7) &^ 7
	x := b.t.m.checked(uint64(b.args+8), typ.Size)
	y := b.t.m.checked(uint64(b.args+8+n), typ.Size)
	equal, bad := b.t.m.equal(typ, x, y)
	if bad != nil {
		return b.panicText(PanicError, "comparing uncomparable type "+bad.Name)
	}
	b.set(1+2*int(n/8), bit(equal))
	return TrapNone
}

// typeByID returns the type with the given id.
func (m *Machine) typeByID(id uint64) *Type {
	if id == 0 || id >= uint64(len(m.Program.Types)) {
		panic(badAddress(id))
	}
	return m.Program.Types[id]
}

// equal compares two values of type t as they lie in memory. If it meets an
// interface with a type that has no equality, it returns that type.
func (m *Machine) equal(t *Type, x, y []byte) (equal bool, bad *Type) {
	switch t.Kind {
	case KindFloat64:
		return float64At(x) == float64At(y), nil
	case KindFloat32:
		return float32At(x) == float32At(y), nil
	case KindString:
		return string(m.bytesAt(x, 1)) == string(m.bytesAt(y, 1)), nil
	case KindInterface:
		return m.equalInterfaces(x, y)
	case KindArray:
		for i := range t.Len {
			at := i * t.Elem.Size
			if equal, bad := m.equal(t.Elem, x[at:at+t.Elem.Size], y[at:at+t.Elem.Size]); !equal || bad != nil {
				return false, bad
			}
		}
		return true, nil
	case KindStruct:
		for _, f := range t.Fields {
			if f.Name == "_" {
				continue
			}
			end := f.Offset + f.Type.Size
			if equal, bad := m.equal(f.Type, x[f.Offset:end], y[f.Offset:end]); !equal || bad != nil {
				return false, bad
			}
		}
		return true, nil
	case KindFunc, KindSlice, KindMap:
		return false, t
	}
	return string(x[:t.Size]) == string(y[:t.Size]), nil
}

func (m *Machine) equalInterfaces(x, y []byte) (equal bool, bad *Type) {
	id := wordAt(x)
	if id != wordAt(y) {
		return false, nil
	}
	if id == 0 {
		return true, nil
	}
	t := m.typeByID(id)
	if bad := t.uncomparable(); bad != nil {
		return false, bad
	}
	return m.equal(t, m.dynamic(t, x), m.dynamic(t, y))
}

// uncomparable returns t, or the part of it, that has no equality; nil if t is
// comparable, as far as its type tells.
func (t *Type) uncomparable() *Type {
	switch t.Kind {
	case KindFunc, KindSlice, KindMap:
		return t
	case KindArray:
		if t.Elem.uncomparable() != nil {
			return t
		}
	case KindStruct:
		for _, f := range t.Fields {
			if f.Type.uncomparable() != nil {
				return t
			}
		}
	}
	return nil
}

// dynamic returns the memory of the value of type t in an interface.
func (m *Machine) dynamic(t *Type, iface []byte) []byte {
	if t.Direct() {
		return iface[8:16]
	}
	return m.checked(wordAt(iface[8:]), t.Size)
}

// bytesAt returns the bytes of the string or slice that lies at x.
func (m *Machine) bytesAt(x []byte, size int64) []byte {
	return m.checked(wordAt(x), int64(wordAt(x[8:]))*size)
}

func wordAt(x []byte) uint64     { return binary.LittleEndian.Uint64(x) }
func float64At(x []byte) float64 { return math.Float64frombits(wordAt(x)) }
func float32At(x []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(x)) }

func hostGrowSlice(b block) Trap {
	length, room := int64(b.word(1)), int64(b.word(2))
	want, pointers := int64(b.word(3)), b.word(5) != 0
	l, k := b.layout(4)
	size := l.Size
	if size == 0 {
		addr, _, _ := b.alloc(0, 0)
		b.set(6, uint64(addr))
		b.set(7, uint64(want))
		return TrapNone
	}
	room = nextSliceCap(want, room)
	if want < 0 || room > maxMakeBytes/size {
		b.c.Fault = maxMakeBytes
		return TrapOutOfMemory
	}
	room = roundUpSize(room*size, pointers) / size
	old := b.t.m.checked(b.word(0), length*size)
	addr, mem, trap := b.alloc(room*size, k)
	if trap == TrapNone {
		if b.t.m.marking {
			b.t.m.bulkBarrier(addr, Addr(b.word(0)), int64(len(old)))
		}
		copy(mem, old)
		b.set(6, uint64(addr))
		b.set(7, uint64(room))
	}
	return trap
}

// nextSliceCap returns the capacity, before rounding up, that append gives to a
// slice of capacity room that must hold want elements: twice as many while it
// is small, then gradually towards a quarter more.
func nextSliceCap(want, room int64) int64 {
	const small = 256
	if want > 2*room {
		return want
	}
	if room < small {
		return 2 * room
	}
	for room < want {
		room += (room + 3*small) / 4
	}
	return room
}

// sizeClasses are the sizes of small objects that Go's allocator gives out.
// The capacity that append and conversions leave shows in a program's output.
var sizeClasses = [...]int64{
	0, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256,
	288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280,
	1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528,
	6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072,
	20480, 21760, 24576, 27264, 28672, 32768,
}

// roundUpSize returns the bytes that Go's allocator has ready for an object of
// n bytes. Objects with pointers of more than 512 bytes share their place with
// a header of 8 bytes; those above the largest class fill pages of 8 KiB.
func roundUpSize(n int64, pointers bool) int64 {
	const header, maxNoHeader, page = 8, 512, 8192
	if n > sizeClasses[len(sizeClasses)-1]-header {
		return (n + page - 1) &^ (page - 1)
	}
	extra := int64(0)
	if pointers && n > maxNoHeader {
		extra = header
	}
	i := sort.Search(len(sizeClasses), func(i int) bool { return sizeClasses[i] >= n+extra })
	return sizeClasses[i] - extra
}

func hostMakeSlice(b block) Trap {
	length, room := int64(b.word(0)), int64(b.word(1))
	l, k := b.layout(2)
	size := l.Size
	fits := func(n int64) bool { return n >= 0 && (size == 0 || n <= maxMakeBytes/size) }
	switch {
	case !fits(length):
		return b.panics(PanicMakeSliceLen, 0, 0)
	case !fits(room) || length > room:
		return b.panics(PanicMakeSliceCap, 0, 0)
	}
	addr, _, trap := b.alloc(room*size, k)
	if trap == TrapNone {
		b.set(3, uint64(addr))
	}
	return trap
}

func hostSliceToArray(b block) Trap {
	length, want := b.word(1), b.word(3)
	if length < want {
		return b.panics(PanicArrayLen, length, want)
	}
	b.set(4, b.word(0))
	return TrapNone
}

func hostMinFloat(b block) Trap {
	if b.word(2) == 4 {
		b.set(3, bits32(min(f32(b.word(0)), f32(b.word(1)))))
	} else {
		b.set(3, bits64(min(f64(b.word(0)), f64(b.word(1)))))
	}
	return TrapNone
}

func hostMaxFloat(b block) Trap {
	if b.word(2) == 4 {
		b.set(3, bits32(max(f32(b.word(0)), f32(b.word(1)))))
	} else {
		b.set(3, bits64(max(f64(b.word(0)), f64(b.word(1)))))
	}
	return TrapNone
}

// method returns the closure of the method of t with the given id, 0 if t has
// none.
func (m *Machine) method(t *Type, id int) Addr {
	f, ok := t.Methods[id]
	if !ok {
		return 0
	}
	return m.Program.Funcs[f].Closure
}

func hostMethod(b block) Trap {
	closure := b.t.m.method(b.t.m.typeByID(b.word(0)), int(b.word(1)))
	if closure == 0 {
		return TrapBadInstr
	}
	b.set(2, uint64(closure))
	return TrapNone
}

// missing returns the name of a method of interface type i that t does not
// have, or "".
func (t *Type) missing(i *Type) string {
	for _, f := range i.Fields {
		if _, ok := t.Methods[int(f.Offset)]; !ok {
			return f.Name
		}
	}
	return ""
}

func hostImplements(b block) Trap {
	ok := b.word(0) != 0 && b.t.m.typeByID(b.word(0)).missing(b.t.m.typeByID(b.word(1))) == ""
	b.set(2, bit(ok))
	return TrapNone
}

func hostAssertPanic(b block) Trap {
	static, want := b.t.m.typeByID(b.word(1)), b.t.m.typeByID(b.word(2))
	is := static.Name
	if want.Kind == KindInterface {
		is = "interface"
	}
	if b.word(0) == 0 {
		return b.panicText(PanicAssert, "interface conversion: "+is+" is nil, not "+want.Name)
	}
	have := b.t.m.typeByID(b.word(0))
	if want.Kind == KindInterface {
		return b.panicText(PanicAssert, "interface conversion: "+have.Name+" is not "+want.Name+": missing method "+have.missing(want))
	}
	text := "interface conversion: " + is + " is " + have.Name + ", not " + want.Name
	if have.Name == want.Name {
		text += " (types from different scopes)"
	}
	return b.panicText(PanicAssert, text)
}

func hostPanicMethod(b block) Trap {
	b.set(2, 0)
	b.set(3, b.word(1))
	if b.word(0) == 0 {
		return TrapNone
	}
	t := b.t.m.typeByID(b.word(0))
	for _, id := range []int{MethodString, MethodError} { // the last one wins
		if closure := b.t.m.method(t, id); closure != 0 {
			b.set(2, uint64(closure))
		}
	}
	return TrapNone
}

func hostArgs(b block) Trap {
	args := b.t.m.Options.Args
	if args == nil {
		args = []string{"program"}
	}
	list, mem, trap := b.alloc(16*int64(len(args)), kind(b.t.m.Program.StringLayout))
	for _, arg := range args {
		if trap != TrapNone {
			return trap
		}
		trap = b.setString(0, []byte(arg))
		binary.LittleEndian.PutUint64(mem, b.word(0))
		binary.LittleEndian.PutUint64(mem[8:], b.word(1))
		mem = mem[16:]
	}
	b.set(0, uint64(list))
	b.set(1, uint64(len(args)))
	b.set(2, uint64(len(args)))
	return trap
}

func hostQuote(b block) Trap {
	return b.setString(2, strconv.AppendQuote(nil, string(b.bytes(0, 1))))
}
