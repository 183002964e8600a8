#!/usr/bin/env bash
# Makes the archive that an instructor uploads to Gradescope as the autograder of an assignment:
#
#   autograder/gradescope/pack.sh [FILE.zip]     (default: gosched-gradescope.zip)
#
# In it are setup.sh and run_autograder, where Gradescope looks for them, and in course/ the
# course as it was last committed, with its solutions: students never see the archive. Students
# submit their repository, or a zip file of it with the folder exercises.
#
# To grade only some chapters, name them in CHAPTERS:  CHAPTERS="ch01 ch02" pack.sh hw1.zip
# For hidden checks, name their folder in EXTRA:  EXTRA=../hidden pack.sh hw1.zip
set -euo pipefail
out=${1:-gosched-gradescope.zip}
case $out in /*) ;; *) out=$PWD/$out ;; esac
extra=()
if [ -n "${EXTRA:-}" ]; then
	folder=$(cd "$EXTRA" && pwd)
	while IFS= read -r file; do
		extra+=("--prefix=extra/$(dirname "$file")/" "--add-file=$folder/$file")
	done < <(cd "$folder" && find . -name '*.go' | sed 's,^\./,,' | sort)
fi
cd "$(dirname "$0")/../.."

chapters=$(mktemp -d)
trap 'rm -r "$chapters"' EXIT
echo "${CHAPTERS:-}" >"$chapters/chapters"
git archive --format=zip --output="$out" \
	--add-file=autograder/gradescope/setup.sh --add-file=autograder/gradescope/run_autograder \
	--add-file="$chapters/chapters" "${extra[@]}" \
	--prefix=course/ HEAD
echo "$out"
