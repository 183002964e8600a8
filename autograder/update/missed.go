package update

import (
	"context"
	"fmt"
	"strings"
)

// A command that was built from another version of the course takes for given what never was:
// what it then does not bring looks afterwards as if the student had removed it, or had it already.
// Such a command now refuses, but repositories may have been updated so. Git's history tells: it
// has the exercises as they were given each time, beside the list of their sums.

// A past is what the history of a repository has of the exercises.
type past struct {
	had   map[string]bool            // the files that a commit has had
	given map[string]map[string]bool // of each file the sums that it was given with
	blobs map[string][]string        // and what it was, the newest first
	repo  *repository
}

// past reads the history of the exercises up to the last commit.
func (r *repository) past(ctx context.Context) (*past, error) {
	h := &past{had: map[string]bool{}, given: map[string]map[string]bool{}, blobs: map[string][]string{}, repo: r}
	log, err := r.git(ctx, nil, "-c", "log.showRoot=true", "-c", "core.quotePath=false", "log", "--format=", "--raw", "--no-abbrev", "--no-renames", "HEAD", "--", exercises)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(log) {
		change, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Fields(change) // :100644 100644 before after M
		if !ok || len(fields) != 5 {
			continue
		}
		h.had[name] = true
		if fields[4] != "D" {
			h.blobs[name] = append(h.blobs[name], fields[3])
		}
	}
	for _, blob := range h.blobs[given] {
		list, err := r.run(ctx, nil, nil, "cat-file", "blob", blob)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(plain(list))) {
			if hash, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
				name = exercises + name
				if h.given[name] == nil {
					h.given[name] = map[string]bool{}
				}
				h.given[name][hash] = true
			}
		}
	}
	return h, nil
}

// lastGiven is a file as it was given last, as far as the history has it.
func (h *past) lastGiven(ctx context.Context, name string) (text []byte, ok bool, err error) {
	for _, blob := range h.blobs[name] {
		text, err := h.repo.run(ctx, nil, nil, "cat-file", "blob", blob)
		if err != nil || h.given[name][sum(text)] {
			return text, err == nil, err
		}
	}
	return nil, false, nil
}

// missed finds out whether an earlier update has left out exercises that it should have brought:
// one that no commit has had cannot have been removed by the student, and one that is as an older
// version gave it is not the student's. Then the exercises are taken to be given as the history has
// them, so that this update makes up for it.
func (p *planning) missed(ctx context.Context) error {
	h, err := p.repo.past(ctx)
	if err != nil {
		return err
	}
	var left []string
	for name, was := range p.Given {
		now, there, err := p.current(name)
		if err != nil {
			return err
		}
		if _, comes := p.next[name]; comes && (!there && !h.had[name] || there && !alike(now, was) && h.given[name][sum(now)]) {
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		return nil
	}
	given := map[string][]byte{}
	for _, files := range []map[string][]byte{p.Given, p.next} {
		for name := range files {
			text, ok, err := h.lastGiven(ctx, name)
			switch {
			case err != nil:
				return err
			case ok:
				given[name] = text
			case h.had[name] && p.Given[name] != nil:
				given[name] = p.Given[name]
			}
		}
	}
	p.Given = given
	p.News = append(p.News, fmt.Sprintf("An earlier update, by a command of another version of the course, had left out %d files of the exercises. This one makes up for it.", len(left)))
	return nil
}
