package check

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gosched/chapters/gmp"
)

// FreedomsFile says, in a chapter's folder in solutions, what the contracts of its methods leave
// open, and which of the alternatives in alternatives_test.go take that freedom, so that it is
// known to be one. An entry is
//
//	Retake: backwards, one by one
//		In which order a P's two halves are looked at.
//
// A method has one entry for each freedom. "Retake: none" says why it has none. Empty lines and
// lines that begin with # are comments.
const FreedomsFile = "testdata/freedoms.txt"

// A freedom is an entry of FreedomsFile.
type freedom struct {
	line         int
	method       string
	alternatives []string // none if the method is said to have no freedom
	what         string
}

// noFreedom is what stands in the place of the alternatives of a method without a freedom.
const noFreedom = "none"

func parseFreedoms(text string) (list []freedom, err error) {
	for i, line := range strings.Split(text, "\n") {
		words := strings.TrimSpace(line)
		switch {
		case words == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			if len(list) == 0 {
				return nil, fmt.Errorf("line %d: a text without a method before it", i+1)
			}
			last := &list[len(list)-1]
			last.what = strings.TrimSpace(last.what + " " + words)
		default:
			method, names, ok := strings.Cut(words, ":")
			if !ok || strings.TrimSpace(names) == "" {
				return nil, fmt.Errorf("line %d: %q is not METHOD: ALTERNATIVE, … or METHOD: %s", i+1, words, noFreedom)
			}
			f := freedom{line: i + 1, method: method}
			for name := range strings.SplitSeq(names, ",") {
				if name = strings.TrimSpace(name); name != noFreedom {
					f.alternatives = append(f.alternatives, name)
				}
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// testFreedoms proves that FreedomsFile has each method that the suite grades, and that the
// alternatives it names write the method themselves. Whether they pass is proved elsewhere.
func (s *Suite) testFreedoms(t *testing.T, base gmp.Version, alternatives map[string]gmp.Version) {
	t.Helper()
	text, err := os.ReadFile(FreedomsFile)
	if err != nil {
		t.Errorf("no list of what the contracts leave open: %v", err)
		return
	}
	list, err := parseFreedoms(string(text))
	if err != nil {
		t.Errorf("%s: %v", FreedomsFile, err)
		return
	}
	for _, wrong := range s.wrongFreedoms(list, base, alternatives) {
		t.Errorf("%s: %s", FreedomsFile, wrong)
	}
}

func (s *Suite) wrongFreedoms(list []freedom, base gmp.Version, alternatives map[string]gmp.Version) (wrong []string) {
	graded := map[string]bool{}
	for _, c := range s.Checks {
		for _, m := range c.Methods {
			graded[m] = s.hasMethod(m) // what a student writes beside the parts has no contract
		}
	}
	told, free := map[string]bool{}, map[string]bool{}
	for _, f := range list {
		say := func(format string, args ...any) {
			wrong = append(wrong, fmt.Sprintf("line %d: ", f.line)+fmt.Sprintf(format, args...))
		}
		if !graded[f.method] {
			say("no check of %s grades %s", s.ID, f.method)
		}
		if f.what == "" {
			say("%s: what is free, or why nothing is?", f.method)
		}
		if none := len(f.alternatives) == 0; told[f.method] && (none || !free[f.method]) {
			say("%s cannot have a freedom and none", f.method)
		}
		told[f.method], free[f.method] = true, len(f.alternatives) > 0
		for _, name := range f.alternatives {
			if own, ok := alternatives[name]; !ok {
				say("there is no alternative %q", name)
			} else if !writes(base.With(own), base, f.method) {
				say("the alternative %q does not write %s", name, f.method)
			}
		}
	}
	for _, m := range slices.Sorted(maps.Keys(graded)) {
		if graded[m] && !told[m] {
			wrong = append(wrong, fmt.Sprintf("what does the contract of %s leave open? It is not in the list", m))
		}
	}
	return wrong
}

// writes reports whether the part of v that has the method has it of itself, and not from a part
// that it embeds, such as base's.
func writes(v, base gmp.Version, method string) bool {
	part := typeWith(v, method)
	return part != nil && declares(part, typeWith(base, method), method)
}

// typeWith returns the type of v's part that has the method, nil if none has.
func typeWith(v gmp.Version, method string) reflect.Type {
	for _, maker := range reflect.ValueOf(v).Fields() {
		if maker.Kind() != reflect.Func || maker.IsNil() {
			continue
		}
		if _, ok := maker.Type().Out(0).MethodByName(method); ok {
			return maker.Call([]reflect.Value{reflect.ValueOf(new(gmp.Sched))})[0].Elem().Type()
		}
	}
	return nil
}

// declares reports whether typ, or a struct in it that is not right's, has a method that is
// written down: those that the compiler makes to call that of an embedded part have no file.
func declares(typ, right reflect.Type, method string) bool {
	if typ == right || typ.Kind() == reflect.Interface {
		return false
	}
	if m, ok := typ.MethodByName(method); ok {
		pc := m.Func.Pointer()
		if file, _ := runtime.FuncForPC(pc).FileLine(pc); file != "<autogenerated>" {
			return true
		}
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return declares(typ.Elem(), right, method)
	case reflect.Struct:
		for field := range typ.Fields() {
			if field.Anonymous && declares(field.Type, right, method) {
				return true
			}
		}
	}
	return false
}
