package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// looksFirst: Netpollblock calls Netpollcheckerr before it turns nil into PdWait, and not
// after that.
//
//   - race-block: a G would sleep past a close
//   - race-ready: PdReady would be lost
//   - nothing: a close looks at the half, and finds the G there
//
//course:exercise
func looksFirst() string {
	//course:lead The close comes between the look and PdWait. What does it find in the half?
	return "race-block"
}

// looksTwice: Netpollblock calls Netpollcheckerr at the very beginning, too. If there is an
// error it uses up PdReady, if that is there, says whether it was, and does not wait.
//
//   - race-ready: PdReady would be used up although nothing was waited for
//   - block: the half would not be PdWait when Netpollcheckerr is called
//   - nothing: a G that does not wait cannot sleep past anything
//
//course:exercise
func looksTwice() string {
	//course:lead What does PollWait do with the result?
	return check.Nothing
}

// lateClear: Netpoll sets sig to false, and then calls ClearBreak.
//
//   - break: two breaks in a row would end two calls
//   - race-break: the break after the next one would be lost
//   - nothing: whoever breaks in between has already done what the M will see
//
//course:exercise
func lateClear() string {
	//course:lead Right: whoever breaks in between is not lost. What are sig and the Epoll afterwards?
	return "race-break"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch16"), solutions.Mutants("ch16"), solutions.Harmless("ch16"), []check.Prediction{
		{Change: "block-looks-first", Answer: looksFirst},
		{Change: "block-looks-twice", Answer: looksTwice},
		{Change: "poll-late-clear", Answer: lateClear},
	})
}
