//go:build linux || darwin

package machine

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Both ends of a connection send at once what they are given.
func TestHostSendsAtOnce(t *testing.T) {
	n := &hostNetwork{}
	defer n.halt()
	l, errno := n.socket()
	require.Zero(t, errno)
	require.Zero(t, l.(*hostSocket).bind(Addr4(127, 0, 0, 1, 0)))
	require.Zero(t, l.(*hostSocket).listen(1))
	addr, errno := l.(*hostSocket).name()
	require.Zero(t, errno)
	c, errno := n.socket()
	require.Zero(t, errno)
	c.(*hostSocket).connect(addr)
	var accepted endpoint
	for accepted == nil {
		if accepted, errno = l.(*hostSocket).accept(); errno != 0 {
			require.Equal(t, EAGAIN, errno)
		}
	}
	for _, e := range []endpoint{c, accepted} {
		on, err := syscall.GetsockoptInt(e.(*hostSocket).fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY)
		assert.NoError(t, err)
		assert.NotZero(t, on)
	}
}
