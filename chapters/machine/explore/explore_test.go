package explore_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	. "gosched/chapters/machine/explore"
)

func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			r := Explore(s.opt, s.model)
			t.Log(r)
			if s.kind == "" {
				if r.Failure != nil {
					t.Fatal(r.Failure)
				}
				assert.True(t, r.Exhaustive, "%v", r)
				return
			}
			if r.Failure == nil {
				t.Fatalf("nothing was found: %v", r)
			}
			t.Log(r.Failure)
			assert.Equal(t, s.kind, r.Failure.Kind)
		})
	}
}
