package main

type S struct{ a, b string }

func (s S) String() string { return s.a + "-" + s.b }

func main() {
	panic(S{"x", "y"})
}
