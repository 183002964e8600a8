package gmp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// partNames lists the interfaces of contracts.go, in order.
func partNames() []string {
	var names []string
	for f := range reflect.TypeFor[Parts]().Fields() {
		names = append(names, f.Name)
	}
	return names
}

func TestNoMethodStandsInTwoParts(t *testing.T) {
	home := map[string]string{}
	for _, part := range partNames() {
		for _, m := range methodNames[part] {
			assert.Empty(t, home[m], "%s stands in two parts, %s and %s; Sched could not promote it", m, home[m], part)
			home[m] = part
			assert.NotContains(t, partNames(), m, "a part is called like the method %s.%s", part, m)
		}
		assert.LessOrEqual(t, len(methodNames[part]), 32, "the mixers have one bit a method")
	}
}

// A field or method of Sched itself would hide a part's method of that name.
func TestSchedHidesNoMethod(t *testing.T) {
	own := map[string]bool{}
	for f := range reflect.TypeFor[Sched]().Fields() {
		own[f.Name] = true
	}
	fset := token.NewFileSet()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
				if id, ok := star.X.(*ast.Ident); ok && id.Name == "Sched" {
					own[fn.Name.Name] = true
				}
			}
		}
	}
	for part, methods := range methodNames {
		for _, m := range methods {
			assert.False(t, own[m], "Sched.%s hides %s.%s", m, part, m)
		}
	}
}

func TestEveryMethodHasADocComment(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "contracts.go", nil, parser.ParseComments)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if iface, ok := n.(*ast.InterfaceType); ok {
			for _, m := range iface.Methods.List {
				assert.NotNil(t, m.Doc, "%s has no doc comment", m.Names[0].Name)
			}
		}
		return true
	})
}

func TestHistoryNamesEveryPart(t *testing.T) {
	var names []string
	for _, row := range history {
		names = append(names, row.part)
	}
	assert.Equal(t, partNames(), names, "history.go and contracts.go list the same parts in the same order")
}

func TestPartsAreGenerated(t *testing.T) {
	before, err := os.ReadFile("parts_gen.go")
	require.NoError(t, err)
	dir := t.TempDir()
	src, err := os.ReadFile("contracts.go")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "contracts.go"), src, 0o644))

	gen := filepath.Join(dir, "genparts")
	out, err := exec.Command("go", "build", "-o", gen, "./genparts").CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command(gen)
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	after, err := os.ReadFile(filepath.Join(dir, "parts_gen.go"))
	require.NoError(t, err)
	assert.Equal(t, string(after), string(before), "parts_gen.go is out of date: go generate ./chapters/gmp")
}

// fakeQueue is a GlobalQueue that records the calls of its methods.
type fakeQueue struct {
	GlobalQueue
	name  string
	calls *[]string
}

func (q fakeQueue) Globrunqput(*G)     { *q.calls = append(*q.calls, q.name+".Globrunqput") }
func (q fakeQueue) Globrunqputhead(*G) { *q.calls = append(*q.calls, q.name+".Globrunqputhead") }
func (q fakeQueue) Globrunqget() *G {
	*q.calls = append(*q.calls, q.name+".Globrunqget")
	return nil
}

func TestMixed(t *testing.T) {
	var calls []string
	queue := func(name string) Version {
		return Version{GlobalQueue: func(*Sched) GlobalQueue { return fakeQueue{name: name, calls: &calls} }}
	}
	use := func(v Version) []string {
		calls = nil
		p := v.parts(&Sched{})
		p.Globrunqput(nil)
		p.Globrunqputhead(nil)
		p.Globrunqget()
		return calls
	}
	base, own := queue("base"), queue("own")
	assert.Equal(t, []string{"own.Globrunqput", "own.Globrunqputhead", "own.Globrunqget"}, use(base.Mixed(own, nil)),
		"a whole part is used as it is")
	assert.Equal(t, []string{"own.Globrunqput", "base.Globrunqputhead", "own.Globrunqget"}, use(base.Mixed(own, map[string]bool{"Globrunqputhead": true})),
		"a missing method is base's")
	assert.Equal(t, []string{"own.Globrunqput", "own.Globrunqputhead", "own.Globrunqget"}, use(base.Mixed(own, map[string]bool{"Runqput": true})),
		"a missing method of another part changes nothing")
	assert.Equal(t, []string{"base.Globrunqput", "base.Globrunqputhead", "base.Globrunqget"}, use(base.Mixed(Version{}, nil)))
}

func TestAbsentPartSaysWho(t *testing.T) {
	s := &Sched{}
	s.run.version.Name = "1.0"
	s.Parts = s.run.version.parts(s)
	assert.PanicsWithValue(t, Absent{"1.0", "RunQueue.Runqput"}, func() { s.Runqput(nil, nil, false) })
	assert.EqualError(t, Absent{"1.0", "RunQueue.Runqput"}, "Go 1.0 has no RunQueue.Runqput")
}

func TestAssemble(t *testing.T) {
	provide := func(form string) (Version, bool) {
		return Version{GlobalQueue: func(*Sched) GlobalQueue { return fakeQueue{} }, Loop: func(*Sched) Loop { return nil }}, form == "ch02"
	}
	v, err := Assemble("1.0", provide)
	require.NoError(t, err)
	assert.NotNil(t, v.GlobalQueue, "1.0 has the queue of chapter 2")
	assert.Nil(t, v.Loop, "but the loop of chapter 5, which is not there")

	_, err = Assemble("1.0", provide, "ch05")
	assert.EqualError(t, err, "Go 1.0 cannot be played yet: ch05 is not written")
	_, err = Assemble("2.0", provide)
	assert.ErrorContains(t, err, "there is no Go 2.0 in this course")
}
