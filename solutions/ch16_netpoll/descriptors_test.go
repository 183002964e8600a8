//course:omit
package ch16_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions/ch16_netpoll"
)

// TestDescriptors proves what gmp.Descriptors gives to this chapter.
func TestDescriptors(t *testing.T) {
	s, err := gmp.New(gmp.Version{NetPoller: ch16.New}, nil, gmp.Options{Machine: machine.Options{MemBytes: machine.MinMemBytes, Network: machine.OwnNetwork}})
	require.NoError(t, err)
	mp := &gmp.M{Thread: s.Machine.NewThread()}
	pd, errno := s.PollOpen(mp, 77)
	assert.Nil(t, pd)
	assert.NotZero(t, errno, "there is no such descriptor")

	open := func() *gmp.PollDesc {
		c := machine.Syscall{Num: machine.SysSocket}
		mp.Thread.Syscall(&c)
		pd, errno := s.PollOpen(mp, int(c.Result))
		require.Zero(t, errno)
		return pd
	}
	for _, c := range []struct {
		info   uint32
		rd, wr gmp.PollError
	}{
		{0, gmp.PollNoError, gmp.PollNoError},
		{gmp.PollEventErr, gmp.PollErrNotPollable, gmp.PollNoError},
		{gmp.PollEventErr | gmp.PollExpiredReadDeadline, gmp.PollErrTimeout, gmp.PollNoError},
		{gmp.PollExpiredWriteDeadline, gmp.PollNoError, gmp.PollErrTimeout},
		{gmp.PollExpiredReadDeadline | gmp.PollExpiredWriteDeadline | gmp.PollClosing, gmp.PollErrClosing, gmp.PollErrClosing},
	} {
		pd := open()
		for mode, want := range map[int]gmp.PollError{'r': c.rd, 'w': c.wr} {
			pd.PollInfo.Store(c.info)
			pd.Half(mode).Store(gmp.PdReady)
			assert.Equal(t, want, s.Netpollcheckerr(pd, mode), "%+v", c)
			assert.Equal(t, want, s.PollReset(pd, mode), "%+v", c)
			assert.Equal(t, want == gmp.PollNoError, pd.Half(mode).Load() == nil, "PollReset; %+v", c)
		}
	}

	pd = open()
	assert.PanicsWithValue(t, gmp.Fatal{Msg: "runtime: close polldesc w/o unblock"}, func() { s.PollClose(mp, pd) })
	for mode, want := range map[int]string{'r': "runtime: blocked read on closing polldesc", 'w': "runtime: blocked write on closing polldesc"} {
		pd := open()
		pd.Closing.Set(true)
		pd.Half(mode).Store(gmp.PdWait)
		assert.PanicsWithValue(t, gmp.Fatal{Msg: want}, func() { s.PollClose(mp, pd) })
	}
	pd = open()
	pd.Closing.Set(true)
	pd.Rg.Store(gmp.PdReady)
	s.PollClose(mp, pd)
	again, errno := s.PollOpen(mp, pd.FD.Get())
	assert.Zero(t, errno, "the Epoll has let go of the descriptor")
	assert.Same(t, pd, again)
	assert.Nil(t, pd.Rg.Load())
}
