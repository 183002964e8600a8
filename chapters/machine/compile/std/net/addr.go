//go:build gosched

package net

import (
	"strconv"
	"syscall"
)

// An IP is an IPv4 address, of four bytes.
type IP []byte

// IPv4 returns a.b.c.d.
func IPv4(a, b, c, d byte) IP { return IP{a, b, c, d} }

func (ip IP) String() string {
	if len(ip) == 0 {
		return "<nil>"
	}
	s := ""
	for i, b := range ip {
		if i > 0 {
			s += "."
		}
		s += strconv.Itoa(int(b))
	}
	return s
}

// ParseIP returns the address that s is, nil if it is none.
func ParseIP(s string) IP {
	ip := make(IP, 0, 4)
	for n, digits, i := 0, 0, 0; ; i++ {
		if i < len(s) && '0' <= s[i] && s[i] <= '9' && digits < 3 {
			if digits == 1 && n == 0 {
				return nil // a leading zero
			}
			n = 10*n + int(s[i]-'0')
			digits++
			continue
		}
		if digits == 0 || n > 255 {
			return nil
		}
		ip = append(ip, byte(n))
		if i == len(s) {
			break
		}
		if s[i] != '.' || len(ip) == 4 {
			return nil
		}
		n, digits = 0, 0
	}
	if len(ip) != 4 {
		return nil
	}
	return ip
}

// A TCPAddr is the address of one end of a TCP connection.
type TCPAddr struct {
	IP   IP
	Port int
	Zone string
}

func (a *TCPAddr) Network() string { return "tcp" }

func (a *TCPAddr) String() string {
	if a == nil {
		return "<nil>"
	}
	ip := ""
	if len(a.IP) > 0 {
		ip = a.IP.String()
	}
	return JoinHostPort(ip, strconv.Itoa(a.Port))
}

func tcpAddr(a syscall.SockAddr) *TCPAddr {
	return &TCPAddr{IP: IPv4(byte(a>>40), byte(a>>32), byte(a>>24), byte(a>>16)), Port: int(a & 0xffff)}
}

func (a *TCPAddr) sockAddr() syscall.SockAddr {
	ip := syscall.SockAddr(0)
	for _, b := range a.IP {
		ip = ip<<8 | syscall.SockAddr(b)
	}
	return ip<<16 | syscall.SockAddr(a.Port)
}

// JoinHostPort returns host:port.
func JoinHostPort(host, port string) string {
	for i := range len(host) {
		if host[i] == ':' {
			return "[" + host + "]:" + port
		}
	}
	return host + ":" + port
}

// SplitHostPort undoes JoinHostPort.
func SplitHostPort(hostport string) (host, port string, err error) {
	colon := -1
	for i := range len(hostport) {
		if hostport[i] == ':' {
			if colon >= 0 {
				return "", "", &AddrError{"too many colons in address", hostport}
			}
			colon = i
		}
	}
	if colon < 0 {
		return "", "", &AddrError{"missing port in address", hostport}
	}
	return hostport[:colon], hostport[colon+1:], nil
}

// resolve returns the address that network and address are.
func resolve(network, address string) (*TCPAddr, error) {
	if network != "tcp" && network != "tcp4" {
		return nil, UnknownNetworkError(network)
	}
	host, port, err := SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	a := &TCPAddr{}
	if a.Port, err = strconv.Atoi(port); port == "" {
		a.Port = 0
	} else if err != nil {
		return nil, &DNSError{Err: "unknown port", Name: "tcp/" + port, IsNotFound: true}
	}
	if a.Port < 0 || a.Port > 65535 {
		return nil, &AddrError{"invalid port", port}
	}
	switch host {
	case "":
	case "localhost":
		a.IP = IPv4(127, 0, 0, 1)
	default:
		if a.IP = ParseIP(host); a.IP == nil {
			return nil, &DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
	}
	return a, nil
}

// ResolveTCPAddr returns the address that network and address are.
func ResolveTCPAddr(network, address string) (*TCPAddr, error) {
	return resolve(network, address)
}
