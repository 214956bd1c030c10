#!/usr/bin/env bash
# Make a release: version and changelog, a commit, wheel and sdist, a tag; the image where there is
# an engine. Run by `make release VERSION=1.2.3`, which runs every check first. Nothing is pushed.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:-}
python=${PYTHON:-$PWD/.venv/bin/python}

refuse() { echo "No release: $1" >&2; exit 1; }

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || refuse "'$version' is no version like 1.2.3."
now=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
newest=$(printf '%s\n' "$now" "$version" | sort --version-sort | tail -n 1)
[[ $version != "$now" || -z $(git tag --list "v$now") ]] || refuse "v$version is there already."
[[ $newest == "$version" ]] || refuse "$version is older than $now in pyproject.toml."
[[ -z $(git tag --list "v$version") ]] || refuse "the tag v$version is there already."
[[ -z $(git status --porcelain) ]] || refuse "there are changes that are not committed; commit them, or take them back."
grep -q '^## Not yet released$' CHANGELOG.md || refuse "CHANGELOG.md has no section 'Not yet released'."
sed -n '/^## Not yet released$/,/^## [0-9]/p' CHANGELOG.md | grep -q '^- ' || refuse "CHANGELOG.md says nothing under 'Not yet released'."

# All was committed: whatever fails from here on, the last commit is what it was before.
before=$(git rev-parse HEAD)
made=$(mktemp -d)
finish() {
  local status=$?
  rm -rf "$made"
  if [[ $status -ne 0 ]]; then
    git reset --quiet --hard "$before"
    echo "No release: the step above failed; everything is as before." >&2
  fi
}
trap finish EXIT

write() { # FILE, a whole line of it, what stands there from now on
  awk -v old="$2" -v new="$3" '$0 == old { $0 = new } { print }' "$1" > "$made/written"
  cat "$made/written" > "$1"
}
write pyproject.toml "version = \"$now\"" "version = \"$version\""
write CHANGELOG.md "## Not yet released" "## Not yet released\n\n## $version ($(date +%Y-%m-%d))"
rm "$made/written"
git commit --quiet --all --message "Release $version"

# Of what is committed alone, so that nothing that lies about gets into it.
git archive HEAD | tar -x -C "$made"
(cd "$made" && "$python" -m hatchling build -d "$made/dist" >&2)
"$python" - "$made/dist" > "$made/sums" << 'SUMS'
import sys
from hashlib import sha256
from pathlib import Path

for path in sorted(Path(sys.argv[1]).iterdir()):
    print(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}")
SUMS
mv "$made/sums" "$made/dist/SHA256SUMS"

if docker buildx version > /dev/null 2>&1 && docker info > /dev/null 2>&1; then
  docker buildx build --platform linux/amd64,linux/arm64 --tag "xiaoxiang:$version" "$made"
else
  echo "No engine with buildx here. The image, for both architectures:"
  echo "  git archive v$version | docker buildx build --platform linux/amd64,linux/arm64 --tag xiaoxiang:$version -"
fi
mkdir -p dist
cp "$made"/dist/* dist/
git tag --annotate "v$version" --message "Xiaoxiang $version"
echo "dist/ has the wheel, the sdist and SHA256SUMS. To publish: git push origin HEAD v$version"
