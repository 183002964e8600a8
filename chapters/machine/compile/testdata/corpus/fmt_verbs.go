package main

import "fmt"

type T struct {
	A int
	B string
	C []byte
	d *int
	E any
	F [2]bool
}

type Inner struct{ X, Y int8 }
type Outer struct {
	Inner
	P *Inner
	S []Inner
	N any
}
type MyInt int
type MyStr string
type MyBytes []byte
type MyBool bool
type MyFloat float64

func main() {
	fmt.Printf("%d|%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o|%O|%b|%c|%q|%U|%#U\n", 42, 42, 42, 42, 42, 42, 255, 255, 255, 8, 8, 8, 5, 'A', 'A', 'A', 'A')
	fmt.Printf("%d|%5d|%05d|%x|%X|%b|%+d\n", -42, -42, -42, -255, -255, -5, -1)
	fmt.Printf("%s|%10s|%-10s|%q|%x|%X|%.2s|%5.1s|%v\n", "hello", "hello", "hello", "he\"llo", "hello", "hello", "hello", "hello", "hello")
	fmt.Printf("%t|%5t|%v|%-7t|\n", true, false, true, true)
	fmt.Printf("%f|%.2f|%8.3f|%-8.1f|%08.3f|%e|%E|%g|%G|%+.1f\n", 3.14159, 3.14159, 3.14159, 3.14159, -3.14159, 314.159, 314.159, 1e21, 1e-7, 2.0)
	fmt.Printf("%v|%v|%v|%v|%v|%v\n", 1.0, 1e6, 1e20, 1e21, 0.000001, 0.0000001)
	fmt.Printf("%v %v %v\n", float32(0.1), float32(16777216), 0.1)
	fmt.Printf("%v|%+v|%T\n", T{1, "x", []byte("hi"), nil, 5, [2]bool{true}}, T{E: "s"}, T{})
	fmt.Printf("%v|%+v\n", Outer{Inner{1, -2}, nil, []Inner{{3, 4}}, nil}, Outer{N: Inner{5, 6}})
	fmt.Printf("%#v|%#v|%#v|%#v\n", Inner{1, -2}, []int{1, 2}, "s", []string{"a"})
	fmt.Printf("%#v|%#v|%#v|%#v|%#v\n", 1.0, true, uint8(7), [2]MyInt{1}, struct{ a any }{nil})
	fmt.Printf("%v|%+v|%v\n", &Inner{1, 2}, &Inner{1, 2}, &[]int{1})
	fmt.Printf("%v|%d|%s|%x|%X|% x|%q\n", []byte("abc"), []byte("abc"), []byte("abc"), []byte("abc"), []byte("abc"), []byte("abc"), []byte("abc"))
	fmt.Printf("%v|%d|%s|%x\n", [3]byte{1, 2, 3}, [3]byte{1, 2, 3}, [3]byte{65, 66, 67}, [3]byte{1, 2, 3})
	fmt.Printf("%v|%s|%q|%5d|%-3d|%x\n", []string{"a", "b"}, []string{"a", "b"}, []string{"a", "b"}, []int{1, 2}, []int{1, 2}, []int{10, 11})
	fmt.Printf("%v %d %T|%v %s %T|%s %v %T|%v %T|%v %T\n", MyInt(3), MyInt(3), MyInt(3), MyStr("s"), MyStr("s"), MyStr("s"), MyBytes("b"), MyBytes("b"), MyBytes("b"), MyBool(true), MyBool(true), MyFloat(2.5), MyFloat(2.5))
	fmt.Printf("%T %T %T %T %T %T %T %T %T\n", 1, "s", 1.5, true, 'r', byte(1), []int{}, [2]string{}, &T{})
	fmt.Printf("%T %T %T %T %T\n", func(int, ...string) (bool, error) { return false, nil }, struct{ A, b int }{}, []any{}, [][]MyInt{}, func() {})
	fmt.Printf("%v %T %d %s\n", nil, nil, nil, nil)
	fmt.Printf("%d %s %t %f %q %x %c\n", "str", 5, 1, "f", true, true, "c")
	fmt.Printf("%d\n", []string{"a"})
	fmt.Printf("%s %s %d\n", []int{1}, Inner{1, 2}, Inner{3, 4})
	fmt.Printf("%d %d\n", 1)
	fmt.Printf("%d\n", 1, 2, "x")
	fmt.Printf("%!|%z|%", 5)
	fmt.Println()
	fmt.Printf("100%%|%5%|%*d|%-*d|%.*f\n", 6, 42, 6, 42, 2, 3.14159)
	fmt.Printf("%[2]d %[1]d|%[1]v %[1]T|%[3]*.[2]*[1]f\n", 1, 2, 8)
	fmt.Printf("%6.2f|%-8q|%8q|%08b|%+q\n", 1.0, "a", "b", 5, "é")
	fmt.Printf("%v|%v\n", []any{1, "a", nil, 2.5, []int{1}}, [2]any{true, 'x'})
	fmt.Printf("%6v|%-6v|%06v|%6v|%6v\n", 42, 42, 42, "s", true)
	fmt.Printf("%v %v\n", struct{}{}, []struct{}{{}, {}})
	fmt.Printf("%x %X %x\n", "hello world", []byte{1, 171}, -1)
	fmt.Printf("%t %v\n", []bool{true, false}, []float64{1, 2.5})
	fmt.Println(fmt.Sprintf("%03d|%3d|%-3d|", 7, 7, 7), fmt.Sprint("a", 1, 2, "b", "c", 3.0, nil, nil), fmt.Sprintln("x", 1))
	var ip *int
	var np *Inner
	var e error
	var sl []int
	fmt.Println(ip, np, e, sl, sl == nil)
	fmt.Printf("%v %v %v %+v %d\n", ip, np, e, sl, sl)
	fmt.Printf("%08.3f|%+08d|%x|%#x|% X|%#q\n", 3.14159, 42, "hi", "hi", "hi", "hi")
	fmt.Printf("%c%c%c %v\n", 72, 105, 0x4E16, 'x')
	fmt.Printf("%3c|%-3c|%03d|%q\n", 'x', 'y', -5, []rune("hi"))
	fmt.Printf("%s|%v|%d\n", &[]string{"p"}, &[2]int{1, 2}, &[]int{3})
	fmt.Printf("%10v|%-10v|%10v\n", []int{1, 22}, Inner{1, 2}, &Inner{3, 4})
	fmt.Printf("%.3v|%.10v|%5.2v\n", "abcdef", "abc", "xyz")
	fmt.Printf("%+d % d %+.2e\n", []int{1, -2}, []int{1, -2}, 12345.678)
	fmt.Printf("%w %v\n", 5, 6)
}
