package main

import "fmt"

type T struct{ a int }
type MyErr string

func (e MyErr) Error() string { return "myerr " + string(e) }
func (t *T) String() string   { return fmt.Sprintf("T<%d>", t.a) }

func kind(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int:
		return fmt.Sprint("int ", x+1)
	case int8, int16:
		return fmt.Sprintf("small %v", x)
	case string:
		return "string " + x
	case bool:
		if x {
			return "yes"
		}
		return "no"
	case []int:
		return fmt.Sprint("slice ", len(x))
	case T:
		return fmt.Sprint("T ", x.a)
	case *T:
		return fmt.Sprint("*T ", x.a)
	case [2]string:
		return x[0] + x[1]
	case float64:
		return fmt.Sprint("float ", x*2)
	case func() int:
		return fmt.Sprint("func ", x())
	case error:
		return "error " + x.Error()
	case fmt.Stringer:
		return "stringer " + x.String()
	case struct{}:
		return "empty"
	default:
		return fmt.Sprintf("other %T", x)
	}
}

type str2 int

func (s str2) String() string { return "str2" }

func main() {
	vs := []any{nil, 1, int8(2), int16(-3), "s", true, false, []int{1, 2}, T{5}, &T{6}, [2]string{"a", "b"}, 1.5, func() int { return 9 }, MyErr("e"), str2(1), struct{}{}, 'x', uint(3), map1{}}
	for _, v := range vs {
		fmt.Println(kind(v))
	}
	var v any = "text"
	s := v.(string)
	n, ok := v.(int)
	fmt.Println(s, n, ok)
	_, ok = v.(fmt.Stringer)
	fmt.Println(ok)
	if t, ok := any(T{3}).(T); ok {
		fmt.Println(t.a)
	}
	e, ok := any(MyErr("x")).(error)
	fmt.Println(e, ok, e == MyErr("x"), e == error(MyErr("y")))
	switch v.(type) {
	case int, string:
		fmt.Println("int or string")
	}
	switch y := any(e).(type) {
	case interface{ Error() string }:
		fmt.Println("has Error", y.Error())
	}
	a := v
	v = 5
	fmt.Println(a, v, v.(int)+1)
}

type map1 struct{ x, y any }
