#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image in which submissions are graded: it
# installs Go, builds the command, and fills Go's cache, so that to grade a submission needs no
# network. The solutions are graded, too. If they do not get all points here, the image is no
# good, and it is better to learn that now.
set -euo pipefail
course=/autograder/source/course

version=$(awk '$1 == "go" { print $2 }' "$course/go.mod")
case $(uname -m) in
x86_64) machine=amd64 ;;
aarch64) machine=arm64 ;;
*) echo "setup.sh knows no Go for $(uname -m)" >&2 && exit 1 ;;
esac
apt-get update
apt-get install --yes --no-install-recommends ca-certificates curl gcc libc6-dev # gcc for the race detector
curl --fail --silent --show-error --location --retry 3 "https://go.dev/dl/go$version.linux-$machine.tar.gz" |
	tar --extract --gzip --directory /usr/local
export PATH=/usr/local/go/bin:$PATH

cd "$course"
go mod download
go build -o /usr/local/bin/gosched ./autograder
gosched -C "$course" grade --of solutions --require-full
