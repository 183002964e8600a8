//course:omit
package ch16_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/solutions/ch16_netpoll"
)

// A break ends a poll, also one that begins later; many at once are one, and all can
// be repeated.
func TestBreak(t *testing.T) {
	s := gmp.NewBare(gmp.Version{NetPoller: ch16.NewGiven}, nil)
	mp := &gmp.M{}
	s.Netpoll(mp, 0)
	s.NetpollBreak()
	s.Netpoll(mp, -1)
	for range 1000 {
		var breakers sync.WaitGroup
		for range 3 {
			breakers.Go(s.NetpollBreak)
		}
		s.Netpoll(mp, -1)
		breakers.Wait()
	}
	s.NetpollBreak()
	s.Netpoll(mp, -1)
	require.False(t, s.NetpollAnyWaiters())
}
