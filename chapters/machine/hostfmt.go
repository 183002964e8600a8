package machine

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file formats values in the machine's memory as Go's fmt does. Numbers
// and strings are handed to the real fmt; what is made of parts is taken apart
// here, by its Type.

// hostFormat formats operands as the functions of fmt do.
func hostFormat(b block) (trap Trap) {
	p := printer{m: b.t.m, wrapped: -1, texts: b.bytes(6, 16)}
	defer func() {
		if r := recover(); r != nil {
			call, ok := r.(methodCall)
			if !ok {
				panic(r)
			}
			b.set(9, 0)
			b.set(10, 0)
			b.set(11, uint64(call.closure))
			b.set(12, call.receiver)
		}
	}()
	ops := p.operands(b, 3)
	switch b.word(0) {
	case FormatPrint:
		p.print(ops)
	case FormatPrintln:
		p.println(ops)
	default:
		p.errorf = b.word(0) == FormatErrorf
		p.format(string(b.bytes(1, 1)), ops)
	}
	b.set(11, 0)
	b.set(12, 0)
	b.set(13, uint64(p.wrapped))
	return b.setString(9, p.buf)
}

// A methodCall is the panic by which a printer gives up until the program has
// called a method.
type methodCall struct {
	closure  Addr
	receiver uint64
}

func (p *printer) print(ops []operand) {
	wasString := true
	for i, op := range ops {
		isString := op.t != nil && op.t.Kind == KindString
		if i > 0 && !isString && !wasString {
			p.buf = append(p.buf, ' ')
		}
		p.operand(op, spec{verb: 'v'})
		wasString = isString
	}
}

func (p *printer) println(ops []operand) {
	for i, op := range ops {
		if i > 0 {
			p.buf = append(p.buf, ' ')
		}
		p.operand(op, spec{verb: 'v'})
	}
	p.buf = append(p.buf, '\n')
}

// hostPrint is the formatting of the builtins print and println.
func hostPrint(b block) Trap {
	m := b.t.m
	var buf []byte
	n := int(b.word(0))
	mem := m.checked(uint64(b.args+16), int64(n)*8)
	for first := true; len(mem) > 0; first = false {
		t := m.typeByID(wordAt(mem))
		slots := (t.Size + 7) &^ 7
		if !first && b.word(1) != 0 {
			buf = append(buf, ' ')
		}
		buf = m.appendPrint(buf, t, mem[8:8+slots])
		mem = mem[8+slots:]
	}
	if b.word(1) != 0 {
		buf = append(buf, '\n')
	}
	return b.setString(2+n, buf)
}

// appendPrint appends the slots x, a value of type t, as print shows it.
func (m *Machine) appendPrint(buf []byte, t *Type, x []byte) []byte {
	switch t.Kind {
	case KindBool:
		return strconv.AppendBool(buf, x[0] != 0)
	case KindInt, KindInt8, KindInt16, KindInt32, KindInt64:
		return strconv.AppendInt(buf, int64(wordAt(x)), 10)
	case KindUint, KindUint8, KindUint16, KindUint32, KindUint64, KindUintptr:
		return strconv.AppendUint(buf, wordAt(x), 10)
	case KindFloat32:
		return strconv.AppendFloat(buf, float64(float32At(x)), 'g', -1, 32)
	case KindFloat64:
		return strconv.AppendFloat(buf, float64At(x), 'g', -1, 64)
	case KindString:
		return append(buf, m.bytesAt(x, 1)...)
	case KindSlice:
		return fmt.Appendf(buf, "[%d/%d]%#x", wordAt(x[8:]), wordAt(x[16:]), wordAt(x))
	case KindInterface:
		return fmt.Appendf(buf, "(%#x,%#x)", wordAt(x), wordAt(x[8:]))
	}
	return fmt.Appendf(buf, "%#x", wordAt(x))
}

// PanicString returns what Go prints after "panic: " for panic(v), where v is
// the interface with type id typ and data word data.
func (m *Machine) PanicString(typ int, data uint64) string {
	if typ <= 0 || typ >= len(m.Program.Types) {
		return "panic called with nil argument"
	}
	t := m.Program.Types[typ]
	var iface [16]byte
	binary.LittleEndian.PutUint64(iface[8:], data)
	if t.Kind > KindString || !t.Direct() && !m.Valid(Addr(data), t.Size) {
		return fmt.Sprintf("(%s) %#x", t.Name, data)
	}
	x := m.dynamic(t, iface[:])
	var text string
	if t.Kind == KindString {
		if b := x; m.Valid(Addr(wordAt(b)), int64(wordAt(b[8:]))) {
			text = strings.ReplaceAll(string(m.bytesAt(b, 1)), "\n", "\n\t")
		}
	} else {
		p := printer{m: m}
		text = string(m.appendPrint(nil, t, p.slot(t, x)))
	}
	basic := !strings.Contains(t.Name, ".")
	switch {
	case basic:
		return text
	case t.Kind == KindString:
		return fmt.Sprintf("%s(\"%s\")", t.Name, text)
	}
	return fmt.Sprintf("%s(%s)", t.Name, text)
}

// slot returns the value x of type t, which lies in memory, as a slot holds it.
func (p *printer) slot(t *Type, x []byte) []byte {
	slot := make([]byte, 8)
	switch t.Kind {
	case KindInt8, KindInt16, KindInt32:
		binary.LittleEndian.PutUint64(slot, uint64(signedAt(x)))
	default:
		copy(slot, x)
	}
	return slot
}

// signedAt and unsignedAt return the integer that fills x.
func signedAt(x []byte) int64 {
	switch len(x) {
	case 1:
		return int64(int8(x[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(x)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(x)))
	}
	return int64(wordAt(x))
}

func unsignedAt(x []byte) uint64 {
	switch len(x) {
	case 1:
		return uint64(x[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(x))
	case 4:
		return uint64(binary.LittleEndian.Uint32(x))
	}
	return wordAt(x)
}

// A printer formats into buf.
type printer struct {
	m       *Machine
	buf     []byte
	texts   []byte // what method calls returned that the printer asked for, 16 bytes each
	errorf  bool
	wrapped int // operand of the first %w
}

// An operand is a value to format: t.Size bytes of memory. t is nil for nil.
type operand struct {
	t  *Type
	x  []byte
	at Addr // of x
	// hidden is set within an unexported field, whose methods are not called.
	hidden bool
}

// part returns the part of op at offset off that has type t.
func (op operand) part(t *Type, off int64) operand {
	return operand{t, op.x[off : off+t.Size], op.at + Addr(off), op.hidden}
}

// elem returns what the pointer op points to, or n elements of the slice op.
func (p *printer) elems(op operand, n int64) operand {
	at := wordAt(op.x)
	return operand{op.t.Elem, p.m.checked(at, n*op.t.Elem.Size), Addr(at), op.hidden}
}

// A spec is a verb with its flags.
type spec struct {
	flags    string // of "+-# 0", each at most once
	width    int
	prec     int
	hasWidth bool
	hasPrec  bool
	verb     rune
	plusV    bool // %+v
	sharpV   bool // %#v

	// raw is set inside %!verb(…): methods are not called, and + and # keep
	// their meaning for numbers although the verb is v.
	raw bool
}

func (s spec) has(flag byte) bool { return strings.IndexByte(s.flags, flag) >= 0 }

// without returns s without some of its flags.
func (s spec) without(flags string) spec {
	s.flags = strings.Map(func(r rune) rune {
		if strings.ContainsRune(flags, r) {
			return -1
		}
		return r
	}, s.flags)
	return s
}

// String returns the directive that makes the real fmt do the same.
func (s spec) String() string {
	var b strings.Builder
	b.WriteByte('%')
	b.WriteString(s.flags)
	if s.sharpV {
		b.WriteByte('#')
	}
	if s.hasWidth {
		b.WriteString(strconv.Itoa(s.width))
	}
	if s.hasPrec {
		b.WriteByte('.')
		b.WriteString(strconv.Itoa(s.prec))
	}
	b.WriteRune(s.verb)
	return b.String()
}

// operands returns the elements of the slice of interfaces at slot i.
func (p *printer) operands(b block, i int) []operand {
	mem, at := b.bytes(i, 16), Addr(b.word(i))
	ops := make([]operand, 0, len(mem)/16)
	for ; len(mem) > 0; mem, at = mem[16:], at+16 {
		ops = append(ops, p.unpack(operand{x: mem[:16], at: at}))
	}
	return ops
}

// unpack returns the value in an interface.
func (p *printer) unpack(iface operand) operand {
	id := wordAt(iface.x)
	if id == 0 {
		return operand{}
	}
	t := p.m.typeByID(id)
	at := iface.at + 8
	if !t.Direct() {
		at = Addr(wordAt(iface.x[8:]))
	}
	return operand{t, p.m.dynamic(t, iface.x), at, iface.hidden}
}

// byMethod formats op by its method Error, String or GoString, if it has one
// that s calls for. The verb w is for errors in Errorf and wrong for all else.
func (p *printer) byMethod(op operand, s spec) bool {
	if op.hidden || s.raw {
		return false
	}
	if s.verb == 'w' {
		if !p.errorf || p.m.method(op.t, MethodError) == 0 {
			p.wrong(op, s)
			return true
		}
		s.verb = 'v'
	}
	ids := []int{MethodError, MethodString}
	if s.sharpV {
		ids = []int{MethodGoString}
	} else if !strings.ContainsRune("vsxXq", s.verb) {
		return false
	}
	for _, id := range ids {
		closure := p.m.method(op.t, id)
		if closure == 0 {
			continue
		}
		receiver := uint64(op.at)
		if op.t.Direct() {
			receiver = wordAt(op.x)
		}
		text := p.call(closure, receiver)
		if s.sharpV {
			s.verb, s.sharpV = 's', false
		}
		p.buf = fmt.Appendf(p.buf, s.String(), text)
		return true
	}
	return false
}

// call returns what a method returned, if the program has called it already.
func (p *printer) call(closure Addr, receiver uint64) string {
	if len(p.texts) == 0 {
		panic(methodCall{closure, receiver})
	}
	text := string(p.m.bytesAt(p.texts, 1))
	p.texts = p.texts[16:]
	return text
}

// operand formats one operand of a call.
func (p *printer) operand(op operand, s spec) {
	if s.verb == 'v' || s.verb == 'w' {
		switch {
		case s.has('#'):
			s = s.without("#")
			s.sharpV = true
		case s.has('+'):
			s = s.without("+")
			s.plusV = true
		}
	}
	if op.t == nil {
		if s.verb == 'T' || s.verb == 'v' {
			p.null(s)
		} else {
			p.wrong(op, s)
		}
		return
	}
	switch s.verb {
	case 'T':
		p.pad(op.t.Name, s)
	case 'p':
		p.pointer(op, s)
	default:
		p.value(op, s, 0)
	}
}

// null writes <nil>, with s's width.
func (p *printer) null(s spec) {
	s.hasPrec = false
	p.pad("<nil>", s)
}

// pad writes text as %s would.
func (p *printer) pad(text string, s spec) {
	s.verb, s.sharpV = 's', false
	p.buf = fmt.Appendf(p.buf, s.String(), text)
}

// wrong writes the complaint about a verb that does not fit the operand.
func (p *printer) wrong(op operand, s spec) {
	p.buf = append(p.buf, "%!"...)
	p.buf = utf8.AppendRune(p.buf, s.verb)
	p.buf = append(p.buf, '(')
	if op.t == nil {
		p.buf = append(p.buf, "<nil>"...)
	} else {
		p.buf = append(p.buf, op.t.Name...)
		p.buf = append(p.buf, '=')
		s.verb, s.raw = 'v', true
		p.value(op, s, 0)
	}
	p.buf = append(p.buf, ')')
}

// verbs are those that fit values of a kind, besides T, v and p.
func verbs(k Kind) string {
	switch k {
	case KindBool:
		return "t"
	case KindInt, KindInt8, KindInt16, KindInt32, KindInt64,
		KindUint, KindUint8, KindUint16, KindUint32, KindUint64, KindUintptr:
		return "dboOxXcqU"
	case KindFloat32, KindFloat64:
		return "bgGxXfFeE"
	case KindString:
		return "sxXq"
	}
	return ""
}

// rawVerb returns the verb that does for values of a kind what v does.
func rawVerb(k Kind) rune {
	switch k {
	case KindBool:
		return 't'
	case KindFloat32, KindFloat64:
		return 'g'
	case KindString:
		return 's'
	}
	return 'd'
}

// maxDepth bounds the nesting of values, because a slice of interfaces can hold
// itself. The real fmt overflows its stack then.
const maxDepth = 10_000

// value formats a value, at some depth within the operand.
func (p *printer) value(op operand, s spec, depth int) {
	if depth > maxDepth {
		panic(badAddress(0))
	}
	t, x := op.t, op.x
	if (depth > 0 || !t.isSimple()) && p.byMethod(op, s) {
		return
	}
	switch t.Kind {
	case KindArray, KindSlice:
		p.list(op, s, depth)
		return
	case KindStruct:
		p.structure(op, s, depth)
		return
	case KindMap:
		p.mapping(op, s, depth)
		return
	case KindInterface:
		in := p.unpack(op)
		switch {
		case in.t != nil:
			p.value(in, s, depth+1)
		case s.sharpV:
			p.buf = append(p.buf, t.Name+"(nil)"...)
		default:
			p.buf = append(p.buf, "<nil>"...)
		}
		return
	case KindPointer:
		if at := wordAt(x); depth == 0 && at != 0 && t.Elem.isComposite() {
			p.buf = append(p.buf, '&')
			p.value(p.elems(op, 1), s, depth+1)
			return
		}
		p.pointer(op, s)
		return
	case KindFunc, KindChan, KindUnsafePointer:
		p.pointer(op, s)
		return
	}
	if s.verb != 'v' && !strings.ContainsRune(verbs(t.Kind), s.verb) {
		p.wrong(op, s)
		return
	}
	if s.raw && !s.sharpV {
		s.verb = rawVerb(t.Kind)
	}
	p.buf = fmt.Appendf(p.buf, s.String(), p.scalar(op))
}

// isSimple reports whether t is one of the types that fmt knows by name: those
// that have no methods, and []byte.
func (t *Type) isSimple() bool {
	return t.Kind <= KindString && !strings.Contains(t.Name, ".") || t.Name == "[]uint8"
}

// isComposite reports whether a pointer to t prints as & and what it points to.
func (t *Type) isComposite() bool {
	switch t.Kind {
	case KindArray, KindSlice, KindStruct, KindMap:
		return true
	}
	return false
}

// scalar returns a Go value for the real fmt. Its size tells where it matters.
func (p *printer) scalar(op operand) any {
	switch op.t.Kind {
	case KindBool:
		return op.x[0] != 0
	case KindInt, KindInt8, KindInt16, KindInt32, KindInt64:
		return signedAt(op.x)
	case KindFloat32:
		return float32At(op.x)
	case KindFloat64:
		return float64At(op.x)
	case KindString:
		return string(p.m.bytesAt(op.x, 1))
	case KindUintptr:
		return uintptr(unsignedAt(op.x))
	}
	return unsignedAt(op.x)
}

// list formats an array or a slice.
func (p *printer) list(op operand, s spec, depth int) {
	t, all, n := op.t, op, op.t.Len
	if t.Kind == KindSlice {
		n = int64(wordAt(op.x[8:]))
		all = p.elems(op, n)
	}
	if t.Elem.Kind == KindUint8 && strings.ContainsRune("sqxX", s.verb) {
		p.buf = fmt.Appendf(p.buf, s.String(), all.x)
		return
	}
	open, sep, end := "[", " ", "]"
	if s.sharpV {
		name := t.Name
		if depth == 0 && s.verb == 'v' && t.isSimple() {
			name = "[]byte"
		}
		if t.Kind == KindSlice && wordAt(op.x) == 0 {
			p.buf = append(p.buf, name+"(nil)"...)
			return
		}
		open, sep, end = name+"{", ", ", "}"
	}
	p.buf = append(p.buf, open...)
	for i := range n {
		if i > 0 {
			p.buf = append(p.buf, sep...)
		}
		p.value(all.part(t.Elem, i*t.Elem.Size), s, depth+1)
	}
	p.buf = append(p.buf, end...)
}

func (p *printer) structure(op operand, s spec, depth int) {
	sep := " "
	if s.sharpV {
		p.buf = append(p.buf, op.t.Name...)
		sep = ", "
	}
	p.buf = append(p.buf, '{')
	for i, f := range op.t.Fields {
		if i > 0 {
			p.buf = append(p.buf, sep...)
		}
		if s.plusV || s.sharpV {
			p.buf = append(p.buf, f.Name+":"...)
		}
		field := op.part(f.Type, f.Offset)
		if r, _ := utf8.DecodeRuneInString(f.Name); !unicode.IsUpper(r) {
			field.hidden = true
		}
		if f.Type.Kind == KindInterface {
			if in := p.unpack(field); in.t != nil {
				field = in
			}
		}
		p.value(field, s, depth+1)
	}
	p.buf = append(p.buf, '}')
}

// pointer formats an address. %p also takes slices.
func (p *printer) pointer(op operand, s spec) {
	if k := op.t.Kind; k != KindPointer && k != KindFunc && k != KindChan && k != KindMap && k != KindUnsafePointer && k != KindSlice {
		p.wrong(op, s)
		return
	}
	at := uintptr(wordAt(op.x))
	switch s.verb {
	case 'v':
		switch {
		case s.sharpV && at == 0:
			p.buf = append(p.buf, "("+op.t.Name+")(nil)"...)
		case s.sharpV:
			p.buf = fmt.Appendf(p.buf, "(%s)(%#x)", op.t.Name, at)
		case at == 0:
			p.null(s)
		default:
			p.hex(at, s)
		}
	case 'p':
		p.hex(at, s)
	case 'b', 'o', 'd', 'x', 'X':
		p.buf = fmt.Appendf(p.buf, s.String(), at)
	default:
		p.wrong(op, s)
	}
}

// hex writes an address with 0x, without it if s has the flag #.
func (p *printer) hex(at uintptr, s spec) {
	s.verb = 'x'
	if s.has('#') {
		s = s.without("#")
	} else {
		s.flags += "#"
	}
	p.buf = fmt.Appendf(p.buf, s.String(), at)
}

// format formats ops by a format string.
func (p *printer) format(format string, ops []operand) {
	f := formatter{p: p, text: format, ops: ops}
	for f.at < len(f.text) {
		i := strings.IndexByte(f.text[f.at:], '%')
		if i < 0 {
			i = len(f.text) - f.at
		}
		p.buf = append(p.buf, f.text[f.at:f.at+i]...)
		if f.at += i; f.at < len(f.text) {
			f.at++
			f.directive()
		}
	}
	if f.reordered || f.next >= len(ops) {
		return
	}
	p.buf = append(p.buf, "%!(EXTRA "...)
	for i, op := range ops[f.next:] {
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		if op.t == nil {
			p.buf = append(p.buf, "<nil>"...)
			continue
		}
		p.buf = append(p.buf, op.t.Name+"="...)
		p.operand(op, spec{verb: 'v'})
	}
	p.buf = append(p.buf, ')')
}

// A formatter reads a format string.
type formatter struct {
	p         *printer
	text      string
	at        int
	ops       []operand
	next      int  // operand of the next directive
	reordered bool // the format says which operands it wants
	badIndex  bool // of the current directive
}

// maxNumber bounds widths and precisions, as in fmt.
const maxNumber = 1e6

// directive formats one directive, whose % has been read.
func (f *formatter) directive() {
	var s spec
	f.badIndex = false
	f.flags(&s)
	indexed := f.index()
	if f.star() {
		s.width, s.hasWidth = f.starNumber("%!(BADWIDTH)")
		if s.width < 0 {
			s.width = -s.width
			s = s.without("-0")
			s.flags += "-"
		}
		indexed = false
	} else if s.width, s.hasWidth = f.number(); s.hasWidth && indexed {
		f.badIndex = true // %[3]2d
	}
	if f.at < len(f.text) && f.text[f.at] == '.' {
		f.at++
		if indexed {
			f.badIndex = true // %[3].2d
		}
		indexed = f.index()
		if f.star() {
			s.prec, s.hasPrec = f.starNumber("%!(BADPREC)")
			if s.prec < 0 {
				s.prec, s.hasPrec = 0, false
				f.p.buf = append(f.p.buf, "%!(BADPREC)"...)
			}
			indexed = false
		} else if s.prec, s.hasPrec = f.number(); !s.hasPrec {
			s.prec, s.hasPrec = 0, true
		}
	}
	if !indexed {
		f.index()
	}
	f.verb(s)
}

// verb formats the operand of the directive s, whose verb comes next.
func (f *formatter) verb(s spec) {
	if f.at >= len(f.text) {
		f.p.buf = append(f.p.buf, "%!(NOVERB)"...)
		return
	}
	verb, n := utf8.DecodeRuneInString(f.text[f.at:])
	f.at += n
	s.verb = verb
	complain := func(what string) {
		f.p.buf = append(f.p.buf, "%!"...)
		f.p.buf = utf8.AppendRune(f.p.buf, verb)
		f.p.buf = append(f.p.buf, what...)
	}
	switch {
	case verb == '%':
		f.p.buf = append(f.p.buf, '%')
	case f.badIndex:
		complain("(BADINDEX)")
	case f.next >= len(f.ops):
		complain("(MISSING)")
	default:
		if verb == 'w' && f.p.errorf && f.p.wrapped < 0 {
			f.p.wrapped = f.next
		}
		f.next++
		f.p.operand(f.ops[f.next-1], s)
	}
}

// flags reads flags.
func (f *formatter) flags(s *spec) {
	for ; f.at < len(f.text) && strings.IndexByte("+-# 0", f.text[f.at]) >= 0; f.at++ {
		if c := f.text[f.at]; !s.has(c) {
			s.flags += string(c)
		}
	}
}

// number reads a number, if there is one.
func (f *formatter) number() (n int, ok bool) {
	for ; f.at < len(f.text) && '0' <= f.text[f.at] && f.text[f.at] <= '9'; f.at++ {
		if n > maxNumber { // as fmt, give up the rest of the format
			f.at = len(f.text)
			return 0, false
		}
		n, ok = n*10+int(f.text[f.at]-'0'), true
	}
	return n, ok
}

// index reads the number of an operand, [n], if there is one.
func (f *formatter) index() bool {
	if f.at >= len(f.text) || f.text[f.at] != '[' {
		return false
	}
	f.reordered = true
	end := strings.IndexByte(f.text[f.at:], ']')
	if end < 0 {
		f.badIndex = true
		f.at++
		return false
	}
	n, err := strconv.Atoi(f.text[f.at+1 : f.at+end])
	f.at += end + 1
	if err != nil || n < 1 || n > len(f.ops) {
		f.badIndex = true
		return true
	}
	f.next = n - 1
	return true
}

// star reads a *, which takes a number from the operands.
func (f *formatter) star() bool {
	if f.at < len(f.text) && f.text[f.at] == '*' {
		f.at++
		return true
	}
	return false
}

// starNumber returns the next operand as a number, or writes a complaint.
func (f *formatter) starNumber(complaint string) (n int, ok bool) {
	if f.next < len(f.ops) {
		op := f.ops[f.next]
		f.next++
		if op.t != nil && strings.Contains(verbs(op.t.Kind), "d") {
			v := f.p.scalar(op)
			switch v := v.(type) {
			case int64:
				n, ok = int(v), v >= -maxNumber && v <= maxNumber
			case uint64:
				n, ok = int(v), v <= maxNumber
			}
		}
	}
	if !ok {
		n = 0
		f.p.buf = append(f.p.buf, complaint...)
	}
	return n, ok
}
