package main

import "fmt"

type thing struct {
	name string
	next *thing
}

var (
	first  *thing
	all    []*thing
	byName = map[string]*thing{}
	anyone any
	nested struct {
		n int
		p [2]*thing
	}
)

func fill() {
	first = &thing{name: fmt.Sprint("first", 1)}
	all = append(all, &thing{name: fmt.Sprint("all", 1), next: &thing{name: "next"}})
	byName["x"+fmt.Sprint(1)] = &thing{name: fmt.Sprint("by", 1)}
	anyone = thing{name: fmt.Sprint("any", 1)}
	nested.p[1] = &thing{name: fmt.Sprint("nested", 1)}
}

func main() {
	fill()
	for i := range 300 {
		_ = fmt.Sprint("garbage", i, &thing{})
	}
	fmt.Println(first.name, all[0].name, all[0].next.name, byName["x1"].name, anyone.(thing).name, nested.p[1].name)
}
