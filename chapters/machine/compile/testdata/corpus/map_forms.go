package main

import "fmt"

var zero float64

type point struct{ x, y int8 }
type rec struct {
	name string
	n    int
	tags []string
}
type shape interface{ area() int }
type sq int

func (s sq) area() int { return int(s * s) }

type rect struct{ a, b int }

func (r rect) area() int { return r.a * r.b }

func roundtrip[K comparable, V any](keys []K, vals []V) {
	m := map[K]V{}
	for i, k := range keys {
		m[k] = vals[i]
	}
	fmt.Println(len(m), m)
	for i, k := range keys {
		v, ok := m[k]
		fmt.Print(v, ok, " ")
		if i%2 == 0 {
			delete(m, k)
		}
	}
	fmt.Println(len(m), m)
}

var nilmap map[string]int

func counts(words ...string) map[string]int {
	m := make(map[string]int, len(words))
	for _, w := range words {
		m[w]++
	}
	return m
}

func main() {
	m := map[string]int{"one": 1, "two": 2, "three": 3}
	m["four"] = 4
	m["one"] += 10
	m["none"]++
	fmt.Println(m["one"], m["missing"], len(m), m)
	if v, ok := m["two"]; ok {
		fmt.Println("two is", v)
	}
	_, ok := m["five"]
	fmt.Println(ok)
	delete(m, "two")
	delete(m, "never")
	fmt.Println(m)
	clear(m)
	fmt.Println(m, len(m))
	m["again"] = 1
	fmt.Println(m)

	fmt.Println(nilmap["x"], len(nilmap), nilmap == nil, nilmap)
	for range nilmap {
		fmt.Println("never")
	}
	delete(nilmap, "x")
	clear(nilmap)

	roundtrip([]int{5, -3, 9, 0}, []string{"a", "b", "c", "d"})
	roundtrip([]int8{5, -3, 9, 0}, []bool{true, false, true, false})
	roundtrip([]uint16{5, 65535, 9, 0}, []float32{1, 2.5, -3, 0})
	roundtrip([]string{"", "x", "long string as a key", "y"}, []int16{-1, 2, -3, 4})
	roundtrip([]bool{true, false}, []rec{{"r", 1, nil}, {"s", 2, []string{"t"}}})
	roundtrip([]float64{0, -zero, 1.5, 1 / zero}, []int{1, 2, 3, 4})
	roundtrip([]point{{1, 2}, {-1, 5}, {1, 1}}, []struct{}{{}, {}, {}})
	roundtrip([][2]string{{"a", "b"}, {"a", "a"}}, [][3]int8{{1, 2, 3}, {-1}})
	roundtrip([]any{1, "s", 2.5, nil, point{1, 2}, int8(1)}[:2], []any{1, nil})
	roundtrip([]shape{sq(2), rect{1, 2}, sq(3)}[:1], []shape{nil})
	roundtrip([]rune{'a', 'ä'}, [][]int{{1}, nil})

	mixed := map[any]int{1: 1, int8(1): 2, "1": 3, 1.0: 4, point{1, 1}: 5, [1]int{1}: 6, nil: 7, true: 8}
	fmt.Println(mixed[1], mixed[int8(1)], mixed["1"], mixed[1.0], mixed[point{1, 1}], mixed[[1]int{1}], mixed[nil], mixed[true], mixed[false], len(mixed))

	nan := zero / zero
	nans := map[float64]int{nan: 1, nan: 2}
	nans[nan] = 3
	_, ok = nans[nan]
	sum := 0
	for k, v := range nans {
		if k == k {
			fmt.Println("not a NaN")
		}
		sum += v
	}
	fmt.Println(len(nans), ok, sum)

	nested := map[string]map[int][]string{}
	for i := range 20 {
		k := fmt.Sprint("k", i%3)
		if nested[k] == nil {
			nested[k] = map[int][]string{}
		}
		nested[k][i%4] = append(nested[k][i%4], fmt.Sprint(i))
	}
	fmt.Println(nested)

	structs := map[point]*rec{{1, 2}: {name: "p"}, {3, 4}: {name: "q"}}
	structs[point{1, 2}].n = 7
	fmt.Println(*structs[point{1, 2}], *structs[point{3, 4}])
	funcs := map[string]func(int) int{"inc": func(n int) int { return n + 1 }, "dbl": func(n int) int { return 2 * n }}
	fmt.Println(funcs["inc"](3), funcs["dbl"](4), funcs["x"] == nil)
	chans := map[chan int]string{}
	c := make(chan int)
	chans[c] = "c"
	fmt.Println(chans[c], chans[nil], len(chans))

	big := map[int]int{}
	for i := range 1000 {
		big[i*7919%1009] = i
	}
	for i := 0; i < 1000; i += 3 {
		delete(big, i)
	}
	total, n := 0, 0
	for k, v := range big {
		total += k*3 + v
		n++
	}
	fmt.Println(len(big), n, total)

	fmt.Println(counts("a", "b", "a", "c", "a"))
	fmt.Printf("%v %+v %#v %T\n", counts("x"), map[string]rec{"r": {"n", 1, nil}}, map[int]string{2: "b", 1: "a"}, m)
	fmt.Printf("%d %x %#v %v\n", map[string]int{"a": 10}, map[int]int{255: 16}, nilmap, &map[int]int{1: 2})
	fmt.Printf("%v\n", struct {
		m map[string]int
		p *map[string]int
	}{m: counts("y")})
}
