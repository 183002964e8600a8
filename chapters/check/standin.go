package check

import (
	"reflect"

	"gosched/chapters/gmp"
)

// A mended part embeds the right one, and may leave to it what the mistake has nothing to do
// with. It may not leave to it what was to be mended: "if true" in the right place would do. So
// where the right part is, the suite puts the mutant, which leaves the same to the right part and
// makes its mistake in all else: who mends does not notice, and who passes the work on gets the
// mistake back.

// standIn returns the version mended, with the part that its parts embed made by that of wrong.
func standIn(mended, wrong gmp.Version) gmp.Version {
	of, by := reflect.ValueOf(&mended).Elem(), reflect.ValueOf(wrong)
	for f := range of.Type().Fields() {
		build, other := of.FieldByIndex(f.Index), by.FieldByIndex(f.Index)
		if f.Type.Kind() != reflect.Func || build.IsNil() || other.IsNil() {
			continue
		}
		built := reflect.ValueOf(build.Interface())
		build.Set(reflect.MakeFunc(f.Type, func(s []reflect.Value) []reflect.Value {
			part := embedding(built.Call(s)[0].Elem(), f.Name, other.Call(s)[0])
			return []reflect.Value{part.Convert(f.Type.Out(0))}
		}))
	}
	return mended
}

// embedding returns a part that embeds another one under a name, itself or in what it embeds,
// with that one exchanged. A part that embeds none it returns as it is.
func embedding(part reflect.Value, name string, other reflect.Value) reflect.Value {
	if part.Kind() == reflect.Pointer {
		exchange(part.Elem(), name, other)
		return part
	}
	copied := reflect.New(part.Type()).Elem()
	copied.Set(part)
	exchange(copied, name, other)
	return copied
}

func exchange(part reflect.Value, name string, other reflect.Value) {
	if part.Kind() != reflect.Struct {
		return
	}
	for f, v := range part.Fields() {
		switch {
		case f.Anonymous && f.Name == name && v.CanSet() && f.Type.Kind() == reflect.Interface:
			v.Set(other)
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			exchange(v, name, other)
		}
	}
}
