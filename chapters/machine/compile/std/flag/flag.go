//go:build gosched

// Package flag reads the program's arguments: flags for integers, booleans and
// strings.
package flag

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
)

var (
	errParse = errors.New("parse error")
	errRange = errors.New("value out of range")
)

// A flag is one of those that the program defines.
type flag struct {
	name, usage string
	kind        string // of the value, for the usage: "int", "string", or "" of a boolean
	initial     string // text of the value before Parse, "" if that is the zero value
	set         func(text string) error
}

var (
	defined = map[string]*flag{}
	given   = map[string]bool{} // those that were set
	rest    []string            // of the arguments
	parsed  bool
)

// Usage says on standard error how to call the program. A program may replace it.
var Usage = func() {
	fmt.Fprintf(os.Stderr, "Usage of %s:\n", os.Args[0])
	PrintDefaults()
}

func define(f *flag) {
	misuse := ""
	switch {
	case len(f.name) > 0 && f.name[0] == '-':
		misuse = fmt.Sprintf("flag %q begins with -", f.name)
	case cut(f.name) < len(f.name):
		misuse = fmt.Sprintf("flag %q contains =", f.name)
	case defined[f.name] != nil:
		misuse = fmt.Sprintf("%s flag redefined: %s", os.Args[0], f.name)
	}
	if misuse != "" {
		fmt.Fprintln(os.Stderr, misuse)
		panic(misuse)
	}
	defined[f.name] = f
}

// cut returns where the first = in s is, len(s) if there is none.
func cut(s string) int {
	for i := range len(s) {
		if s[i] == '=' {
			return i
		}
	}
	return len(s)
}

// IntVar defines a flag whose value goes to *p, and is value without it.
func IntVar(p *int, name string, value int, usage string) {
	*p = value
	f := &flag{name: name, usage: usage, kind: "int"}
	if value != 0 {
		f.initial = strconv.Itoa(value)
	}
	f.set = func(text string) error {
		n, err := strconv.ParseInt(text, 0, 64)
		*p = int(n)
		switch {
		case errors.Is(err, strconv.ErrSyntax):
			return errParse
		case errors.Is(err, strconv.ErrRange):
			return errRange
		}
		return err
	}
	define(f)
}

// BoolVar defines a flag whose value goes to *p, and is value without it. The
// flag alone is true.
func BoolVar(p *bool, name string, value bool, usage string) {
	*p = value
	f := &flag{name: name, usage: usage}
	if value {
		f.initial = "true"
	}
	f.set = func(text string) error {
		v, err := strconv.ParseBool(text)
		*p = v
		if err != nil {
			return errParse
		}
		return nil
	}
	define(f)
}

// StringVar defines a flag whose value goes to *p, and is value without it.
func StringVar(p *string, name string, value string, usage string) {
	*p = value
	f := &flag{name: name, usage: usage, kind: "string"}
	if value != "" {
		f.initial = strconv.Quote(value)
	}
	f.set = func(text string) error {
		*p = text
		return nil
	}
	define(f)
}

// Int is IntVar with a variable of its own.
func Int(name string, value int, usage string) *int {
	p := new(int)
	IntVar(p, name, value, usage)
	return p
}

// Bool is BoolVar with a variable of its own.
func Bool(name string, value bool, usage string) *bool {
	p := new(bool)
	BoolVar(p, name, value, usage)
	return p
}

// String is StringVar with a variable of its own.
func String(name string, value string, usage string) *string {
	p := new(string)
	StringVar(p, name, value, usage)
	return p
}

// Parse takes the flags from the program's arguments, up to the first one that is
// none. It ends the program if they are wrong.
func Parse() {
	parsed, rest = true, os.Args[1:]
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			return
		}
		parse(arg)
	}
}

// parse takes one flag, and if its value is not in arg, that too.
func parse(arg string) {
	text := arg[1:]
	if text[0] == '-' {
		text = text[1:]
	}
	if text[0] == '-' || text[0] == '=' {
		fail("bad flag syntax: %s", arg)
	}
	eq := cut(text)
	name, value, hasValue := text[:eq], "", eq < len(text)
	if hasValue {
		value = text[eq+1:]
	}
	f := defined[name]
	switch {
	case f != nil:
	case name == "help" || name == "h":
		Usage()
		os.Exit(0)
	default:
		fail("flag provided but not defined: -%s", name)
	}
	message := "invalid value %q for flag -%s: %v"
	switch {
	case f.kind == "":
		message = "invalid boolean value %q for -%s: %v"
		if !hasValue {
			value = "true"
		}
	case !hasValue && len(rest) == 0:
		fail("flag needs an argument: -%s", name)
	case !hasValue:
		value, rest = rest[0], rest[1:]
	}
	if err := f.set(value); err != nil {
		fail(message, value, name, err)
	}
	given[name] = true
}

// fail ends the program because of its arguments.
func fail(format string, a ...any) {
	fmt.Fprintln(os.Stderr, fmt.Sprintf(format, a...))
	Usage()
	os.Exit(2)
}

// PrintDefaults lists all flags on standard error, by name.
func PrintDefaults() {
	var names []string
	for name := range defined {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		f := defined[name]
		kind, usage := f.quoted()
		line := "  -" + name
		if kind != "" {
			line += " " + kind
		}
		if len(line) <= len("  -x") {
			line += "\t"
		} else {
			line += "\n    \t"
		}
		for i := range len(usage) {
			line += usage[i : i+1]
			if usage[i] == '\n' {
				line += "    \t"
			}
		}
		if f.initial != "" {
			line += " (default " + f.initial + ")"
		}
		fmt.Fprintln(os.Stderr, line)
	}
}

// quoted returns what to call the value of f, which is what its usage has in back
// quotes, and the usage without these.
func (f *flag) quoted() (kind, usage string) {
	first := -1
	for i := range len(f.usage) {
		switch {
		case f.usage[i] != '`':
		case first < 0:
			first = i
		default:
			kind = f.usage[first+1 : i]
			return kind, f.usage[:first] + kind + f.usage[i+1:]
		}
	}
	return f.kind, f.usage
}

// Parsed reports whether Parse was called.
func Parsed() bool { return parsed }

// NFlag returns how many flags were set.
func NFlag() int { return len(given) }

// Args returns the arguments that are no flags.
func Args() []string { return rest }

// NArg returns how many they are.
func NArg() int { return len(rest) }

// Arg returns one of them, "" if there are not so many.
func Arg(i int) string {
	if i < 0 || i >= len(rest) {
		return ""
	}
	return rest[i]
}
