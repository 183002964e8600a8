//go:build !unwatched

package machine

// watched says that a Hook, where there is one, sees what threads share. Each use of
// that asks whether there is one, which costs 10 to 30 % on what a scheduler does most.
// With the tag unwatched a program is built without the question: for bench, which
// measures, and has no Hook.
const watched = true

// A tag is the identity of a shared variable under a hook. Variables that have
// one must not be copied.
type tag struct {
	_       noCopy
	session uint32
	id      ID
}

// touch returns the id of t, and gives it one at the first touch.
func (t *tag) touch() ID {
	if !t.touched() {
		lastID++
		t.take(lastID)
	}
	return t.id
}

// touched reports whether t has an id.
func (t *tag) touched() bool { return t.session == session }

// take gives t, which has no id yet, that of another.
func (t *tag) take(id ID) { t.session, t.id = session, id }

// tagOf is the tag of a variable that has an id already.
func tagOf(id ID) *tag { return &tag{session: session, id: id} }
