package ch01

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

func init() {
	Suite.Extra(check.Hidden, check.Check{
		Name: "free-many", Kind: check.Unit, Points: 4,
		Methods:  []string{"Gfget", "Gfput"},
		Property: "The free list has no limit: of 300 dead Gs all come back.",
		Hint:     "Is there a number in your code that the task does not name?",
		Run:      freeMany,
	})
}

// freeMany puts more Gs on the free list than the checks of the course do.
func freeMany(t *check.T) {
	const many = 300
	f := load(t, gmp.Version{})
	for goid := range int64(many) {
		f.Gfput(f.mp, f.dead(1+goid, gmp.StartingStack))
	}
	for n := range many {
		if f.Gfget(f.mp) == nil {
			t.Fatalf("%d Gs were put on the free list, and only %d came back", many, n)
		}
	}
}
