package main

import (
	"context"
	"errors"
	"net/url"
	"os/exec"
	"path"
	"regexp"
	"strings"
)

// filesAt is how the public hosts put the path of a file behind the address of a repository.
// HEAD is the branch that they show first.
var filesAt = map[string]string{
	"github.com":    "/blob/HEAD/",
	"gitlab.com":    "/-/blob/HEAD/",
	"bitbucket.org": "/src/HEAD/",
}

// fromOrigin is the value of book --source that asks git.
const fromOrigin = "origin"

// source is the address of the course's files for book.Options, "" for none: the one that is
// given, or from origin.
func (a *app) source(ctx context.Context, given string) (string, error) {
	switch u, err := url.Parse(given); {
	case given == "":
		return "", nil
	case given == fromOrigin:
		return a.origin(ctx), nil
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return "", usagef("--source takes the web address that the path of a file is put behind, such as https://github.com/OWNER/NAME/blob/main, not %q", given)
	}
	return strings.TrimSuffix(given, "/") + "/", nil
}

// origin is the address of the course's files at the public host from which its repository
// was cloned; "" if there is none.
func (a *app) origin(ctx context.Context) string {
	remote, err := a.git(ctx, "remote", "get-url", "origin")
	if err != nil {
		return ""
	}
	below, err := a.git(ctx, "rev-parse", "--show-prefix") // of a course that is a folder of the repository
	if err != nil {
		return ""
	}
	return sourceOf(remote, below)
}

// git runs git in the course and returns what it prints, in one line.
func (a *app) git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", a.root}, args...)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}

// scpRemote is git@host:path, git's short form of ssh://git@host/path.
var scpRemote = regexp.MustCompile(`^(?:[\w.-]+@)?([\w.-]+):(.+)$`)

// sourceOf is the address of the files in the folder below of a repository, which is "" or
// ends in a slash, at the public host that remote names; "" if it names none. What else
// stands in remote, such as a user and a password, is left out.
func sourceOf(remote, below string) string {
	var host, repository string
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		host, repository = u.Hostname(), u.Path
	} else if m := scpRemote.FindStringSubmatch(remote); m != nil {
		host, repository = m[1], m[2]
	}
	host = strings.ToLower(host)
	files, known := filesAt[host]
	repository = strings.Trim(strings.TrimSuffix(path.Clean("/"+repository), ".git"), "/")
	if !known || !strings.Contains(repository, "/") {
		return ""
	}
	return (&url.URL{Scheme: "https", Host: host, Path: "/" + repository + files + below}).String()
}
