// This file runs the checks of chapter 16 on your code. There is nothing to
// write in it; the checks themselves are in chapters/ch16_netpoll.

package ch16_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/exercises/ch16_netpoll"
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
