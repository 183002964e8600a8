package mutation

import (
	"go/ast"
	"go/types"
)

// pairs are things that are easily confused: fields, methods, functions, states and
// variables. Each is tried for the other wherever that compiles.
var pairs = [][2]string{
	{"Recvq", "Sendq"}, {"Sendx", "Recvx"}, {"Sendx", "Qcount"}, {"Dataqsiz", "Qcount"},
	{"First", "Last"}, {"Next", "Prev"}, {"Head", "Tail"}, {"Waitlink", "Waittail"}, {"Waitlink", "Next"},
	{"Prev", "Parent"}, {"Next", "Parent"},
	{"Stack", "NoStack"}, {"Runqhead", "Runqtail"}, {"Runqget", "Runqsteal"}, {"Runqget", "Globrunqget"},
	{"PushBack", "Push"}, {"Globrunqput", "Globrunqputhead"}, {"Globrunqget", "Globrunqgetbatch"},
	{"Nmidle", "Nmidlelocked"}, {"Npidle", "Nmidle"}, {"Npidle", "Nmspinning"}, {"Needspinning", "Gcwaiting"},
	{"Pidle", "Midle"}, {"Mcpu", "Mcpumax"}, {"Mnext", "Nmfreed"},
	{"Pidleget", "PidlegetSpinning"}, {"Pidleput", "Mput"}, {"Goready", "Ready"}, {"Acquirep", "Wirep"},
	{"Curg", "G0"}, {"Nextp", "P"}, {"Nextg", "Curg"}, {"Waiting", "Param"}, {"Wait", "Notify"},
	{"Lock", "Unlock"}, {"Sleep", "Clear"}, {"Schedlink", "Alllink"},
	{"Sudogcache", "GFree"}, {"Sudoglock", "Lock"}, {"ChansendDone", "ChanrecvDone"},
	{"Grunnable", "Grunning"}, {"Grunnable", "Gwaiting"}, {"Grunning", "Gwaiting"}, {"Gidle", "Gdead"}, {"Grunnable", "Gdead"},
	{"Pidle", "Prunning"}, {"Pgcstop", "Pidle"}, {"Pgcstop", "Pdead"},
	{"Gomaxprocs", "Mcpumax"}, {"min", "max"}, {"lo", "hi"},
	{"h", "t"}, {"pp", "p2"}, {"old", "nprocs"}, {"old", "new"}, {"x", "y"}, {"sg", "next"}, {"gp", "callergp"},
	{"pollUntil", "now"}, {"elem", "slot"},
}

// similar puts the other one of a pair in the place of a name.
func (m *maker) similar(in string, id *ast.Ident) {
	if m.info.Uses[id] == nil {
		return
	}
	for _, pair := range pairs {
		for i, name := range pair {
			if id.Name == name && m.known(id, pair[1-i]) {
				m.add(in, pair[1-i]+" for "+name, "", replace(id, pair[1-i]))
			}
		}
	}
}

// known reports whether the other name may mean something where id stands: a variable is
// not confused with a function. A field or a method of that name the type checker finds,
// or not.
func (m *maker) known(id *ast.Ident, other string) bool {
	object := m.info.Uses[id]
	if v, ok := object.(*types.Var); ok && v.IsField() {
		return true
	}
	scope := object.Parent()
	if scope == nil || object.Pkg() == nil || scope == object.Pkg().Scope() || scope == types.Universe {
		return true
	}
	inner := m.info.Defs[m.decl.Name].Pkg().Scope().Innermost(id.Pos())
	if inner == nil {
		return true
	}
	_, found := inner.LookupParent(other, id.Pos())
	_, isVar := found.(*types.Var)
	return isVar
}
