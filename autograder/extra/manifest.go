package extra

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gosched/autograder/content"
	"gosched/autograder/grade"
	"gosched/chapters"
	"gosched/chapters/check"
)

// Checks finds out which checks the folder has, and proves them on the solution, as g grades it.
// An Unusable error says what is wrong with the folder. What is found out is kept in the folder
// keep, by key, which must be another one whenever the folder, the course or the toolchain is.
func (f *Folder) Checks(ctx context.Context, g grade.Grader, keep, key string) (*Checks, error) {
	overlay, err := f.overlay(filepath.Join(keep, f.Sum))
	if err != nil {
		return nil, fmt.Errorf("the extra checks cannot be kept: %w", err)
	}
	var m chapters.Manifest
	known := filepath.Join(keep, key+".json")
	if text, err := os.ReadFile(known); err == nil && json.Unmarshal(text, &m) == nil && content.Used(known) {
		return f.checks(g.All, m, overlay), nil
	}
	if m, err = f.manifest(ctx, g.Root, overlay); err != nil {
		return nil, err
	}
	c := f.checks(g.All, m, overlay)
	err = c.prove(ctx, g)
	if wrong, ok := errors.AsType[Unusable](err); ok {
		return nil, Unusable(f.named(string(wrong)))
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(m)
	if err == nil {
		err = writeWhole(known, text)
		content.Trim(keep)
	}
	return c, err
}

// checks are the checks of a manifest.
func (f *Folder) checks(all []chapters.Chapter, m chapters.Manifest, overlay grade.Overlay) *Checks {
	c := &Checks{Sum: f.Sum, show: map[string]check.Shown{}, overlay: overlay}
	for _, ch := range all {
		extras := m.Checks[ch.ID]
		if ch.Suite == nil || len(extras) == 0 {
			continue
		}
		suite := *ch.Suite
		suite.Checks = nil
		for _, e := range extras {
			suite.Checks = append(suite.Checks, e.Check)
			c.show[ch.ID+"/"+e.Name] = e.Show
		}
		ch.Suite = &suite
		c.chapters = append(c.chapters, ch)
	}
	return c
}

// manifest builds the command manifest with the folder's files, and runs it.
func (f *Folder) manifest(ctx context.Context, root string, overlay grade.Overlay) (chapters.Manifest, error) {
	var m chapters.Manifest
	dir, err := os.MkdirTemp("", "gosched-extra-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "manifest.exe") // Windows runs no other; elsewhere a name is a name
	err = grade.BuildCommand(ctx, root, "./autograder/extra/manifest", command, overlay, "-ldflags=-w")
	if broken, ok := errors.AsType[*grade.BuildError](err); ok {
		lines := f.named(broken.Error())
		if len(broken.Lines) > 1 {
			lines = "\n" + lines
		}
		return m, Unusable("it does not compile: " + lines)
	}
	if err != nil {
		return m, err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, command)
	cmd.Dir, cmd.Stderr = root, &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	if err != nil {
		return m, Unusable("its checks cannot be listed: " + f.crash(root, said.String()))
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return m, unusable("its checks cannot be listed: they print %.80q while they are added", out)
	}
	if len(m.Wrong) > 0 {
		return m, Unusable(strings.Join(m.Wrong, "\n"))
	}
	if len(m.Checks) == 0 {
		return m, Unusable("it adds no checks; call Suite.Extra in a function init")
	}
	return m, nil
}

// crash is the reason why a process of the folder's code has died, and the first place in it.
func (f *Folder) crash(root, said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	reason := strings.TrimPrefix(lines[0], "panic: ")
	for _, line := range lines {
		line = strings.ReplaceAll(strings.TrimSpace(line), root+string(filepath.Separator), "")
		place, _, _ := strings.Cut(filepath.ToSlash(line), " ")
		if named := f.named(place); named != place {
			return named + ": " + reason
		}
	}
	return reason
}
