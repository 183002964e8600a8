package book

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// What the programs and models of the book gave is kept: in memory for one build, and in
// Options.Kept for the next. It is found again by a hash of all that it depends on, so
// nothing that is kept can be stale, and a page builds as fast as it is read.

// kept returns what make gives, or gave before. what tells it from all other results: the
// command. source is the text that the command is about. Errors are not kept.
func kept[T any](b *builder, what, source string, make func() (T, error)) (T, error) {
	key := b.key(fmt.Sprintf("%T", *new(T)), what, source)
	if known, ok := b.results[key]; ok {
		return known.(T), nil
	}
	result, ok := load[T](b.keptAs(key))
	if !ok {
		var err error
		if result, err = make(); err != nil {
			return result, err
		}
		if err := save(b.keptAs(key), result); err != nil {
			b.warn(&page{file: b.Kept}, 0, "what programs gave cannot be kept: %v", err)
		}
	}
	b.results[key] = result
	return result, nil
}

// key is a hash of what a result depends on.
func (b *builder) key(parts ...string) string {
	hash := sha256.New()
	for _, part := range append(parts, b.Code, b.goroot.version, runtime.GOOS, runtime.GOARCH) {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// keptAs is the file of a result, "" if none are kept.
func (b *builder) keptAs(key string) string {
	if b.Kept == "" {
		return ""
	}
	return filepath.Join(b.Kept, key)
}

func load[T any](name string) (result T, ok bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return result, false
	}
	return result, gob.NewDecoder(bytes.NewReader(text)).Decode(&result) == nil
}

// save writes a file that is there as a whole or not at all, since others may read it.
func save[T any](name string, result T) error {
	if name == "" {
		return nil
	}
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(result); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), "new")
	if err != nil {
		return err
	}
	_, err = file.Write(text.Bytes())
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// forget removes what is kept and was of no use to this build, which was of the whole book.
func (b *builder) forget() {
	if b.Kept == "" {
		return
	}
	files, err := os.ReadDir(b.Kept)
	if err != nil {
		return
	}
	for _, f := range files {
		if _, ok := b.results[f.Name()]; !ok {
			os.Remove(filepath.Join(b.Kept, f.Name()))
		}
	}
}
