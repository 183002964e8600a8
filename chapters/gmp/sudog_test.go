package gmp

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSudogReset: Reset forgets no field.
func TestSudogReset(t *testing.T) {
	sg := &Sudog{}
	v := reflect.ValueOf(sg)
	for i := range v.Elem().NumField() {
		field := v.Elem().Field(i).Addr()
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
		assert.False(t, field.MethodByName("Get").Call(nil)[0].IsZero())
	}
	sg.Reset()
	assert.True(t, v.Elem().IsZero())
}
