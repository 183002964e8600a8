//go:build gosched

// Package net is connections over TCP. There is IPv4, and no name is known but localhost.
package net

import (
	"errors"
	"internal/poll"
	"os"
	"time"
)

// An Addr is the address of one end.
type Addr interface {
	Network() string
	String() string
}

// A Conn is a connection. Goroutines may use it together.
type Conn interface {
	Read(b []byte) (n int, err error)
	Write(b []byte) (n int, err error)
	// Close ends it. Calls that wait return with ErrClosed.
	Close() error
	LocalAddr() Addr
	RemoteAddr() Addr
	// SetDeadline sets the time from which on calls, also those that wait already, fail
	// with an Error whose Timeout is true. The zero Time is no deadline.
	SetDeadline(t time.Time) error
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// A Listener is where connections come in.
type Listener interface {
	Accept() (Conn, error)
	Close() error
	Addr() Addr
}

// An Error is an error of the network.
type Error interface {
	error
	Timeout() bool
	Temporary() bool
}

// ErrClosed is a use of what is closed.
var ErrClosed error = poll.ErrNetClosing

// An OpError says what was done, and where.
type OpError struct {
	Op     string // "read", "write", "accept", "dial", "listen", "set", "close"
	Net    string // "tcp"
	Source Addr
	Addr   Addr
	Err    error
}

func (e *OpError) Unwrap() error { return e.Err }

func (e *OpError) Error() string {
	if e == nil {
		return "<nil>"
	}
	s := e.Op
	if e.Net != "" {
		s += " " + e.Net
	}
	if e.Source != nil {
		s += " " + e.Source.String()
	}
	if e.Addr != nil {
		if e.Source != nil {
			s += "->"
		} else {
			s += " "
		}
		s += e.Addr.String()
	}
	return s + ": " + e.Err.Error()
}

// Timeout reports whether a deadline has passed.
func (e *OpError) Timeout() bool {
	if call, ok := e.Err.(*os.SyscallError); ok {
		return call.Timeout()
	}
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// Temporary reports whether it may go better the next time.
func (e *OpError) Temporary() bool {
	err := e.Err
	if call, ok := err.(*os.SyscallError); ok {
		err = call.Err
	}
	t, ok := err.(interface{ Temporary() bool })
	return ok && t.Temporary()
}

// An AddrError is an address that cannot be understood.
type AddrError struct {
	Err  string
	Addr string
}

func (e *AddrError) Error() string {
	if e.Addr == "" {
		return e.Err
	}
	return "address " + e.Addr + ": " + e.Err
}
func (e *AddrError) Timeout() bool   { return false }
func (e *AddrError) Temporary() bool { return false }

// A DNSError is a name that is not known.
type DNSError struct {
	Err        string
	Name       string
	IsNotFound bool
}

func (e *DNSError) Error() string   { return "lookup " + e.Name + ": " + e.Err }
func (e *DNSError) Timeout() bool   { return false }
func (e *DNSError) Temporary() bool { return false }

// An UnknownNetworkError is a network other than tcp.
type UnknownNetworkError string

func (e UnknownNetworkError) Error() string   { return "unknown network " + string(e) }
func (e UnknownNetworkError) Timeout() bool   { return false }
func (e UnknownNetworkError) Temporary() bool { return false }

var errMissingAddress = errors.New("missing address")
