package main

import "fmt"

type animal struct {
	name string
	legs int
}

func (a animal) describe() string { return fmt.Sprintf("%s has %d legs", a.name, a.legs) }
func (a *animal) rename(n string) { a.name = n }
func (a animal) sound() string    { return "..." }

type dog struct {
	animal
	breed string
}

func (d dog) sound() string { return "woof" }

type puppy struct {
	*dog
	age int
}

type base struct{ id int }

func (b *base) inc() int { b.id++; return b.id }

type left struct{ base }
type right struct{ b base }
type both struct {
	left
	right
	int
}

func main() {
	d := dog{animal{"rex", 4}, "lab"}
	fmt.Println(d.name, d.describe(), d.sound(), d.animal.sound())
	d.rename("max")
	fmt.Println(d.describe())
	p := puppy{&d, 1}
	p.rename("tiny")
	p.legs = 3
	fmt.Println(p.name, d.name, p.sound(), p.describe(), p.dog.animal.legs)
	b := both{int: 5}
	b.inc()
	b.left.inc()
	b.right.b.inc()
	fmt.Println(b, b.id, b.int)
	f := b.inc
	f()
	f()
	fmt.Println(b.id, b)
	g := (*both).inc
	fmt.Println(g(&b), b)
	h := dog.describe
	fmt.Println(h(d))
	k := p.describe
	p.rename("later")
	fmt.Println(k(), p.describe())
}
