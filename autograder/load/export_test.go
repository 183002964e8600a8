package load

// Kept is kept, for tests.
func (u Usage) Kept(now Usage, procs, conns int) error { return u.kept(now, procs, conns) }
