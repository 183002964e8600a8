package main

import "fmt"

type Weekday int

const (
	Sunday Weekday = iota
	Monday
)

func (d Weekday) String() string { return [...]string{"Sun", "Mon"}[d] }

type Point struct{ X, Y int }

func (p Point) String() string { return fmt.Sprintf("(%d,%d)", p.X, p.Y) }

type PtrStr struct{ n int }

func (p *PtrStr) String() string { return fmt.Sprint("ptr", p.n) }

type Temp float64

func (t Temp) String() string { return fmt.Sprintf("%.1f°", float64(t)) }

type Line struct {
	A, B Point
	c    Point
	D    *PtrStr
	E    PtrStr
}

type Go struct{ a int }

func (g Go) GoString() string { return "Go!" }

type List []Weekday
type Both struct{}

func (Both) Error() string  { return "as error" }
func (Both) String() string { return "as string" }

type Tree struct {
	L, R *Tree
	V    int
}

func (t *Tree) String() string {
	if t == nil {
		return "()"
	}
	return fmt.Sprint("(", t.L, t.V, t.R, ")")
}

func main() {
	fmt.Println(Monday, Sunday, Point{1, 2}, &Point{3, 4})
	fmt.Printf("%v %s %d %q %x|%5v|%-5v|%05d|%T\n", Monday, Monday, Monday, Monday, Sunday, Monday, Monday, Monday, Monday)
	fmt.Println([]Weekday{Sunday, Monday}, [2]Point{{1, 1}, {2, 2}}, List{Monday})
	fmt.Println(PtrStr{1}, &PtrStr{2}, []*PtrStr{{3}}, []PtrStr{{4}})
	fmt.Println(Temp(36.6), []Temp{1, 2.5})
	l := Line{Point{1, 2}, Point{3, 4}, Point{5, 6}, &PtrStr{7}, PtrStr{8}}
	fmt.Printf("%v\n%+v\n", l, l)
	fmt.Printf("%#v %v %#v\n", Go{1}, Go{1}, []Go{{2}})
	fmt.Println(Both{}, []any{Both{}, Monday, 5, nil, Point{}})
	fmt.Println(fmt.Sprint("a", Monday, Point{}, "b"), fmt.Sprintln(Monday))
	var s fmt.Stringer = Monday
	fmt.Println(s, s.String(), s == Monday, s == fmt.Stringer(Sunday))
	fmt.Println(&Tree{&Tree{nil, nil, 1}, &Tree{nil, nil, 3}, 2})
	fmt.Printf("%s|%v|%d\n", struct{ P Point }{Point{1, 2}}, struct{ p Point }{Point{1, 2}}, Point{1, 2})
	fmt.Printf("%!|%z %d\n", Monday, "x")
}
