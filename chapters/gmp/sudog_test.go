package gmp

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSudogReset: Reset and Blank forget no field.
func TestSudogReset(t *testing.T) {
	for i := range reflect.TypeFor[Sudog]().NumField() {
		sg := NewSudog()
		v := reflect.ValueOf(sg)
		assert.True(t, sg.Blank())
		field, name := v.Elem().Field(i).Addr(), v.Elem().Type().Field(i).Name
		value := reflect.New(field.MethodByName("Get").Type().Out(0)).Elem()
		switch {
		case value.Kind() == reflect.Pointer:
			value.Set(reflect.New(value.Type().Elem()))
		case value.Kind() == reflect.Bool:
			value.SetBool(true)
		default:
			value.Set(reflect.ValueOf(1).Convert(value.Type()))
		}
		field.MethodByName("Set").Call([]reflect.Value{value})
		assert.False(t, sg.Blank(), name)
		sg.Reset()
		assert.True(t, sg.Blank(), name)
		assert.True(t, v.Elem().IsZero(), name)
	}
}
