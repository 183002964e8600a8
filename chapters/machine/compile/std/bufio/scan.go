//go:build gosched

package bufio

import (
	"errors"
	"internal/oserror"
	"io"
)

// MaxScanTokenSize is how long a token may be, unless Buffer says otherwise.
const MaxScanTokenSize = 64 * 1024

var (
	ErrTooLong         = errors.New("bufio.Scanner: token too long")
	ErrNegativeAdvance = errors.New("bufio.Scanner: SplitFunc returns negative advance count")
	ErrAdvanceTooFar   = errors.New("bufio.Scanner: SplitFunc returns advance count beyond input")

	// ErrFinalToken ends a scan, after the token that comes with it.
	ErrFinalToken = errors.New("final token")
)

// A SplitFunc finds the first token in data. It returns how much of data it takes; 0 and
// no token ask for more.
type SplitFunc func(data []byte, atEOF bool) (advance int, token []byte, err error)

// A Scanner reads tokens, lines unless Split says otherwise.
type Scanner struct {
	from  io.Reader
	split SplitFunc
	most  int
	token []byte
	buf   []byte
	r, w  int
	err   error // io.EOF at the end
	ended bool
	empty int // tokens without bytes, in a row
}

// NewScanner returns a Scanner of r.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{from: r, split: ScanLines, most: MaxScanTokenSize}
}

// Split sets what a token is, Buffer the first buffer and how long a token may be.
func (s *Scanner) Split(split SplitFunc)       { s.split = split }
func (s *Scanner) Buffer(buf []byte, most int) { s.buf, s.most = buf[:cap(buf)], most }

// Text and Bytes return the token. That of Bytes is in the buffer, until the next Scan.
func (s *Scanner) Text() string  { return string(s.token) }
func (s *Scanner) Bytes() []byte { return s.token }

// Err returns why there are no more tokens, nil at the end.
func (s *Scanner) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// Scan reads the next token, and reports whether there is one.
func (s *Scanner) Scan() bool {
	if s.ended {
		return false
	}
	for {
		if s.w > s.r || s.err != nil {
			advance, token, err := s.split(s.buf[s.r:s.w], s.err != nil)
			switch {
			case err == ErrFinalToken:
				s.token, s.ended = token, true
				return token != nil
			case err != nil:
				return s.stop(err)
			case advance < 0:
				return s.stop(ErrNegativeAdvance)
			case advance > s.w-s.r:
				return s.stop(ErrAdvanceTooFar)
			}
			s.r += advance
			if token != nil {
				if s.empty++; s.err == nil || advance > 0 {
					s.empty = 0
				}
				if s.empty > 100 {
					panic("bufio.Scan: too many empty tokens without progressing")
				}
				s.token = token
				return true
			}
		}
		if s.err != nil {
			s.token, s.ended, s.r, s.w = nil, true, 0, 0
			return false
		}
		if !s.room() {
			return s.stop(ErrTooLong)
		}
		s.more()
	}
}

// stop ends the scan because of err.
func (s *Scanner) stop(err error) bool {
	if s.err == nil || s.err == io.EOF {
		s.err = err
	}
	s.token, s.ended = nil, true
	return false
}

// room makes room for more, and reports whether it may.
func (s *Scanner) room() bool {
	if s.r > 0 && (s.w == len(s.buf) || s.r > len(s.buf)/2) {
		s.w = copy(s.buf, s.buf[s.r:s.w])
		s.r = 0
	}
	if s.w < len(s.buf) {
		return true
	}
	if len(s.buf) >= s.most {
		return false
	}
	buf := make([]byte, min(max(2*len(s.buf), defaultSize), s.most))
	s.w = copy(buf, s.buf[s.r:s.w])
	s.buf, s.r = buf, 0
	return true
}

func (s *Scanner) more() {
	for range 100 {
		n, err := s.from.Read(s.buf[s.w:])
		s.w += n
		if err != nil {
			s.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	s.err = oserror.ErrNoProgress
}

// ScanLines takes lines, without their ends.
func ScanLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	for i, c := range data {
		if c == '\n' {
			return i + 1, withoutEnd(data[:i+1]), nil
		}
	}
	if atEOF && len(data) > 0 {
		if data[len(data)-1] == '\r' {
			return len(data), data[:len(data)-1], nil
		}
		return len(data), data, nil
	}
	return 0, nil, nil
}

// ScanBytes takes each byte.
func ScanBytes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	return 1, data[:1], nil
}

// ScanWords takes what is between white space of ASCII.
func ScanWords(data []byte, atEOF bool) (advance int, token []byte, err error) {
	space := func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
	from := 0
	for from < len(data) && space(data[from]) {
		from++
	}
	for i := from; i < len(data); i++ {
		if space(data[i]) {
			return i + 1, data[from:i], nil
		}
	}
	if atEOF && from < len(data) {
		return len(data), data[from:], nil
	}
	return from, nil, nil
}
