package machine

import "fmt"

// RuntimeError returns what Go says after "panic: " for the runtime error that
// c stopped at, after TrapPanic or TrapFault.
func (m *Machine) RuntimeError(c *Context) string {
	code := c.Panic
	if c.Trap == TrapFault {
		code = PanicMem
	}
	switch code {
	case PanicPlain, PanicAssert:
		return m.String(Addr(c.X), c.Y)
	case PanicError:
		return "runtime error: " + m.String(Addr(c.X), c.Y)
	}
	return "runtime error: " + c.errorWords(code)
}

func (c *Context) errorWords(code PanicCode) string {
	x, y := c.X, c.Y
	// A negative bound has no length beside it: it is wrong for any.
	bounds := func(format string, rest string) string {
		text := fmt.Sprintf(format, x)
		if x >= 0 && rest != "" {
			text += fmt.Sprintf(rest, y)
		}
		return text
	}
	switch code {
	case PanicMem:
		return "invalid memory address or nil pointer dereference"
	case PanicDivide:
		return "integer divide by zero"
	case PanicIndex:
		return bounds("index out of range [%d]", " with length %d")
	case PanicIndexU:
		return fmt.Sprintf("index out of range [%d] with length %d", uint64(x), y)
	case PanicShift:
		return "negative shift amount"
	case PanicSliceAlen:
		return bounds("slice bounds out of range [:%d]", " with length %d")
	case PanicSliceAcap:
		return bounds("slice bounds out of range [:%d]", " with capacity %d")
	case PanicSliceB:
		if x < 0 {
			return fmt.Sprintf("slice bounds out of range [%d:]", x)
		}
		return fmt.Sprintf("slice bounds out of range [%d:%d]", x, y)
	case PanicSlice3Alen:
		return bounds("slice bounds out of range [::%d]", " with length %d")
	case PanicSlice3Acap:
		return bounds("slice bounds out of range [::%d]", " with capacity %d")
	case PanicSlice3B:
		if x < 0 {
			return fmt.Sprintf("slice bounds out of range [:%d:]", x)
		}
		return fmt.Sprintf("slice bounds out of range [:%d:%d]", x, y)
	case PanicSlice3C:
		if x < 0 {
			return fmt.Sprintf("slice bounds out of range [%d::]", x)
		}
		return fmt.Sprintf("slice bounds out of range [%d:%d:]", x, y)
	case PanicMakeSliceLen:
		return "makeslice: len out of range"
	case PanicMakeSliceCap:
		return "makeslice: cap out of range"
	case PanicArrayLen:
		return fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", x, y)
	}
	return fmt.Sprintf("panic code %d", code)
}

// Signal returns the line that Go prints below the panic of a fault.
func (c *Context) Signal() string {
	return fmt.Sprintf("[signal SIGSEGV: segmentation violation code=0x1 addr=%#x pc=%#x]", uint64(c.Fault), uint64(c.At()))
}
