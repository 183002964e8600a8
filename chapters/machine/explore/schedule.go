package explore

import (
	"fmt"
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
// with the number of its steps if that is not 1, and a chosen number stands
// between dots: 1:a5b2.0.a
func (s schedule) String() string {
	var b strings.Builder
	b.WriteString(replayPrefix)
	for i := 0; i < len(s); {
		if s[i] < 0 {
			fmt.Fprintf(&b, ".%d.", -1-s[i])
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		b.WriteByte(byte('a' + s[i]))
		if j-i > 1 {
			b.WriteString(strconv.Itoa(j - i))
		}
		i = j
	}
	return b.String()
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
	for rest != "" {
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
		end := 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		count := 1
		if end > 1 {
			var err error
			if count, err = strconv.Atoi(rest[1:end]); err != nil || count < 1 || len(s)+count > maxSteps {
				return bad()
			}
		}
		for range count {
			s = append(s, id)
		}
		rest = rest[end:]
	}
	return s, nil
}
