#!/usr/bin/env bash
# Adds dist-site/ to the branch `gh-pages` as the folder of a version. The root lists all versions and leads to the newest release.
set -euo pipefail
version=${1:-}
case $version in v[0-9]*) ;; *) echo "The version is '$version': pass a tag such as v1.2.0" >&2; exit 1 ;; esac
[ -f dist-site/index.html ] || { echo "dist-site/ holds no site: run npm run docs first" >&2; exit 1; }
folder=$(mktemp -d)
trap 'git worktree remove --force "$folder"' EXIT
if git fetch --depth 1 origin gh-pages 2>/dev/null; then
  git worktree add --quiet --detach "$folder" FETCH_HEAD
else
  git worktree add --quiet --detach "$folder"
  git -C "$folder" checkout --quiet --orphan gh-pages
  git -C "$folder" rm -r --force --quiet .
fi
rm -rf "${folder:?}/$version"
cp -R dist-site "$folder/$version"
touch "$folder/.nojekyll"

versions=$(cd "$folder" && printf '%s\n' v[0-9]*/ | tr -d / | sort --reverse --version-sort)
newest=$(printf '%s\n' "$versions" | { grep --invert-match -- - || true; } | head -n 1)
newest=${newest:-$version}
{
  printf '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Accord</title>\n'
  printf '<meta http-equiv="refresh" content="0; url=%s/">\n<h1>Accord</h1>\n<ul>\n' "$newest"
  for one in $versions; do printf '<li><a href="%s/">%s</a></li>\n' "$one" "$one"; done
  printf '</ul>\n</html>\n'
} >"$folder/index.html"

git -C "$folder" add --all --force
git -C "$folder" -c user.name=github-actions -c user.email=github-actions@users.noreply.github.com \
  commit --quiet --allow-empty --message "Publish the documentation of $version"
git -C "$folder" push --quiet origin HEAD:gh-pages
