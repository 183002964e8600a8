package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A schedule is what was chosen in an execution: threads, by their numbers, and
// for Choose the numbers, as -1-number.
type schedule []int32

// thread takes the next thread from s. When nothing is left it is another one;
// a loose schedule passes over threads that cannot run.
func (s *schedule) thread(enabled set, other int8, loose bool) (int8, bool) {
	for len(*s) > 0 {
		next := (*s)[0]
		if next >= 0 && next < maxThreads && enabled.has(int8(next)) {
			*s = (*s)[1:]
			return int8(next), true
		}
		if !loose {
			return 0, false
		}
		*s = (*s)[1:]
	}
	return other, true
}

// number takes the next number below n, 0 if there is none here.
func (s *schedule) number(n int) int {
	if len(*s) > 0 && (*s)[0] < 0 {
		v := int(-1 - (*s)[0])
		*s = (*s)[1:]
		return min(v, n-1)
	}
	return 0
}

// taken is the schedule of the last execution.
func (s *search) taken() schedule {
	var list schedule
	for _, n := range s.trail[:min(s.depth, len(s.trail))] {
		if n.choose {
			list = append(list, -1-n.value)
		} else {
			list = append(list, int32(n.thread))
		}
	}
	return list
}

// replayPrefix marks the form of a replay string.
const replayPrefix = "1:"

// String writes a schedule as a replay string: the threads are letters, each
// with the number of its steps if that is not 1, a chosen number stands between
// dots, and what comes several times in a row in brackets, with how often:
// 1:a5b2.0.a[b2a]7
func (s schedule) String() string {
	var b strings.Builder
	b.WriteString(replayPrefix)
	stretches := s.stretches()
	for i := 0; i < len(stretches); {
		length, times := repeatedStretches(stretches[i:])
		text := strings.Join(stretches[i:i+length], "")
		if times > 1 {
			text = fmt.Sprintf("[%s]%d", text, times)
		}
		b.WriteString(text)
		i += length * times
	}
	return b.String()
}

// stretches are the parts of a replay string, without brackets.
func (s schedule) stretches() []string {
	var list []string
	for i := 0; i < len(s); {
		if s[i] < 0 {
			list = append(list, fmt.Sprintf(".%d.", -1-s[i]))
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		text := string(byte('a' + s[i]))
		if j-i > 1 {
			text += strconv.Itoa(j - i)
		}
		list = append(list, text)
		i = j
	}
	return list
}

// What is written in brackets: so many stretches at most, and so often at least.
const (
	maxBracket = 32
	minTimes   = 4
)

// repeatedStretches returns how many stretches of the beginning come again, and
// how often they are there.
func repeatedStretches(list []string) (length, times int) {
	for length = 1; length <= min(maxBracket, len(list)/minTimes); length++ {
		times = 1
		for end := 2 * length; end <= len(list) && slices.Equal(list[:length], list[end-length:end]); end += length {
			times++
		}
		if times >= minTimes {
			return length, times
		}
	}
	return 1, 1
}

// parseSchedule reads a replay string. maxSteps bounds what it may stand for.
func parseSchedule(text string, maxSteps int) (schedule, error) {
	rest, ok := strings.CutPrefix(text, replayPrefix)
	if !ok {
		return nil, fmt.Errorf("the replay string %q does not begin with %q; copy it from the report as a whole", text, replayPrefix)
	}
	bad := func() (schedule, error) {
		return nil, fmt.Errorf("the replay string %q is damaged at %q; copy it from the report as a whole", text, rest)
	}
	var s schedule
	bracket := -1 // where it begins
	for rest != "" {
		if rest[0] == '[' && bracket < 0 {
			bracket, rest = len(s), rest[1:]
			continue
		}
		if rest[0] == ']' && bracket >= 0 {
			times, length, ok := leadingNumber(rest[1:])
			round := s[bracket:]
			if !ok || len(s)+len(round)*(times-1) > maxSteps {
				return bad()
			}
			s, bracket, rest = append(s, slices.Repeat(round, times-1)...), -1, rest[1+length:]
			continue
		}
		if rest[0] == '.' {
			digits, after, ok := strings.Cut(rest[1:], ".")
			v, err := strconv.ParseInt(digits, 10, 31)
			if !ok || err != nil || v < 0 {
				return bad()
			}
			s, rest = append(s, int32(-1-v)), after
			continue
		}
		id := int32(rest[0]) - 'a'
		if id < 0 || id >= maxThreads {
			return bad()
		}
		count, length, ok := leadingNumber(rest[1:])
		if !ok || len(s)+count > maxSteps {
			return bad()
		}
		for range count {
			s = append(s, id)
		}
		rest = rest[1+length:]
	}
	if bracket >= 0 {
		return bad()
	}
	return s, nil
}

// leadingNumber reads the number that text begins with, 1 if there is none.
func leadingNumber(text string) (n, length int, ok bool) {
	for length < len(text) && text[length] >= '0' && text[length] <= '9' {
		length++
	}
	if length == 0 {
		return 1, 0, true
	}
	n, err := strconv.Atoi(text[:length])
	return n, length, err == nil && n >= 1
}
