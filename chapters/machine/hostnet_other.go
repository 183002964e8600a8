//go:build !linux && !darwin

package machine

// hostHasNetwork says that sockets of the host can be used.
const hostHasNetwork = false

// A hostNetwork stands where there is none.
type hostNetwork struct{}

func (*hostNetwork) socket() (endpoint, Errno)      { return nil, ENOSYS }
func (*hostNetwork) pair() (a, b endpoint, e Errno) { return nil, nil, ENOSYS }
func (*hostNetwork) poller() (poller, Errno)        { return nil, ENOSYS }
func (*hostNetwork) halt()                          {}
