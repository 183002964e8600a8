package sim

import "gosched/chapters/machine"

// A table holds what belongs to variables, by machine.ID. It is made of pages, so
// that it grows without being copied, there is nothing where no variable needs it, and
// what is in it stays where it is: a million goroutines have millions of lines.
type table[T any] struct{ pages []*page[T] }

type page[T any] [1 << pageBits]T

const pageBits = 11

// at returns what belongs to a variable, the zero value at first.
func (t *table[T]) at(id machine.ID) *T {
	if n := int(id >> pageBits); n < len(t.pages) && t.pages[n] != nil {
		return &t.pages[n][id%(1<<pageBits)]
	}
	return t.turn(id)
}

// turn is at for the first variable of a page.
func (t *table[T]) turn(id machine.ID) *T {
	n := int(id >> pageBits)
	for n >= len(t.pages) {
		t.pages = append(t.pages, nil)
	}
	t.pages[n] = new(page[T])
	return &t.pages[n][id%(1<<pageBits)]
}
