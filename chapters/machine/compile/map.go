package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// Maps are the machine's work. Keys go to it by their value, so that no address
// in the stack does; values stay where they are, and their addresses come back.

func mapOf(m ssa.Value) *types.Map { return m.Type().Underlying().(*types.Map) }

// mapKey brings the type, the map and the key into the outgoing slots and calls
// h. It returns the slot of the result.
func (f *fun) mapKey(h machine.Host, m, key ssa.Value) slot {
	f.put(out(1), m)
	f.put(out(2), key)
	f.putInt(out(0), int64(f.c.types.of(m.Type()).ID))
	n := 2 + slotsOf(key.Type())
	f.block(n + 1)
	f.host(h)
	return out(n)
}

func (f *fun) lowerMakeMap(v *ssa.MakeMap) {
	f.putInt(out(1), 0)
	if v.Reserve != nil {
		f.put(out(1), v.Reserve)
	}
	f.putInt(out(0), int64(f.c.types.of(v.Type()).ID))
	f.block(2)
	f.host(machine.HostMakeMap)
	f.move(f.dst(v), out(1), 1)
}

// lowerLookup emits m[k].
func (f *fun) lowerLookup(v *ssa.Lookup) {
	val := f.values[v]
	if v.CommaOk {
		val = f.extract(v, 0)
	}
	at := f.ptemp()
	f.move(at, f.mapKey(machine.HostMapAccess, v.X, v.Index), 1)
	if val != nil {
		t := mapOf(v.X).Elem()
		found, end := f.newLabel(), f.newLabel()
		f.branch(machine.JNZ, at, 0, found)
		f.zero(val.at, len(val.shape))
		f.jump(end)
		f.bind(found)
		op, _ := accessOps(t)
		f.load(val.at, sizeOf(t), op, address{slot: at})
		f.bind(end)
	}
	if v.CommaOk {
		ok, zero := f.stemp(), f.stemp()
		f.putInt(zero, 0)
		f.op(machine.NE, 0, ok, at, zero)
		f.setExtracts(v, 1, ok)
	}
}

// lowerMapUpdate emits m[k] = v.
func (f *fun) lowerMapUpdate(v *ssa.MapUpdate) {
	at := f.ptemp()
	f.move(at, f.mapKey(machine.HostMapAssign, v.Map, v.Key), 1)
	t := mapOf(v.Map).Elem()
	_, op := accessOps(t)
	f.store(address{slot: at}, sizeOf(t), op, f.use(v.Value))
}

// lowerMapLen emits len(m), the first word of a map.
func (f *fun) lowerMapLen(dst slot, m ssa.Value) {
	isNil := f.newLabel()
	at := f.use(m)
	f.putInt(dst, 0)
	f.branch(machine.JZ, at, 0, isNil)
	f.mem(machine.LD64, 0, dst, at, 0)
	f.bind(isNil)
}

func (f *fun) lowerMapClear(m ssa.Value) {
	f.put(out(1), m)
	f.putInt(out(0), int64(f.c.types.of(m.Type()).ID))
	f.block(2)
	f.host(machine.HostMapClear)
}

// mapRange is the shape of a range over a map: the map and the five words of the
// machine's state, of which the first is an address.
var mapRange = []bool{true, true, false, false, false, false}

func (f *fun) lowerMapRange(v *ssa.Range) {
	f.put(out(1), v.X)
	f.putInt(out(0), int64(f.c.types.of(v.X.Type()).ID))
	f.block(7)
	f.host(machine.HostMapIterate)
	f.move(f.dst(v), out(1), len(mapRange))
}

// lowerMapNext emits one step of a range over a map.
func (f *fun) lowerMapNext(v *ssa.Next) {
	it := v.Iter.(*ssa.Range)
	m := mapOf(it.X)
	f.move(out(1), f.dst(it), len(mapRange))
	f.putInt(out(0), int64(f.c.types.of(it.X.Type()).ID))
	f.block(9)
	f.host(machine.HostMapNext)
	f.move(f.dst(it), out(1), len(mapRange))

	ok, zero := f.stemp(), f.stemp()
	f.putInt(zero, 0)
	f.op(machine.NE, 0, ok, out(7), zero)
	f.setExtracts(v, 0, ok)
	end := f.newLabel()
	f.branch(machine.JZ, ok, 0, end)
	if key := f.extract(v, 1); key != nil {
		op, _ := accessOps(m.Key())
		f.load(key.at, sizeOf(m.Key()), op, address{slot: out(7)})
	}
	if val := f.extract(v, 2); val != nil {
		op, _ := accessOps(m.Elem())
		f.load(val.at, sizeOf(m.Elem()), op, address{slot: out(8)})
	}
	f.bind(end)
}
