package explore

import "unicode/utf8"

// A weight says how much a step tells of what threads do to each other.
type weight uint8

const (
	ownStep    weight = iota // no other thread uses the variable in this schedule
	sharedStep               // others do
	heardStep                // it reads what another thread has written
	staleStep                // it reads what another thread changes later
	keptStep                 // it writes what a later call still finds
)

// weights returns the weight of each step. A failure often hangs on one read, so
// those that stand in conflict with the write of another thread are never left
// out of a report, nor is the write whose value a thread finds later, after the call.
func (f *Failure) weights() []weight {
	weights := make([]weight, len(f.Steps))
	users := map[int]set{}
	for _, s := range f.Steps {
		if s.isStep() {
			all := users[s.Object]
			all.add(int8(s.Thread))
			users[s.Object] = all
		}
	}
	writer := map[int]int{}
	for i, s := range f.Steps {
		if !s.isStep() {
			continue
		}
		if users[s.Object]&^only(int8(s.Thread)) != 0 {
			weights[i] = sharedStep
		}
		if s.Write {
			writer[s.Object] = s.Thread
		} else if last, ok := writer[s.Object]; ok && last != s.Thread {
			weights[i] = heardStep
		}
	}
	later := map[int]set{} // who writes it
	for i := len(f.Steps) - 1; i >= 0; i-- {
		s := f.Steps[i]
		if !s.isStep() {
			continue
		}
		if s.Write {
			all := later[s.Object]
			all.add(int8(s.Thread))
			later[s.Object] = all
		} else if s.looks() && later[s.Object]&^only(int8(s.Thread)) != 0 {
			weights[i] = staleStep
		}
	}
	last := map[int]int{} // step that wrote it last
	for i, s := range f.Steps {
		switch {
		case !s.isStep():
		case s.Write:
			last[s.Object] = i
		case s.looks():
			if j, ok := last[s.Object]; ok && (f.Steps[j].Thread != s.Thread || f.Steps[j].call != s.call) {
				weights[j] = keptStep
			}
		}
	}
	return weights
}

// isStep reports whether s is an operation on a variable, and no line of another
// kind.
func (s *Step) isStep() bool { return s.Number > 0 && s.Object > 0 && s.Thread >= 0 }

// looks reports whether s only looks at a variable, and does not wait for it.
func (s *Step) looks() bool {
	return s.isStep() && !s.Write && s.kind != opSleep && s.kind != opSleepTimeout
}

// variable names what s is about.
func (s *Step) variable() string {
	if s.Name != "" {
		return s.Name
	}
	name := shortName(receiver(s.Code))
	if utf8.RuneCountInString(name) > maxName {
		name = withoutIndex(name)
	}
	return shorten(name, maxValue)
}
