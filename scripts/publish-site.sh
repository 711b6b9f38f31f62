#!/usr/bin/env bash
# Adds dist-site/ to the branch `gh-pages` as the folder of a version, and leads the root to it. Earlier versions stay.
set -euo pipefail
version=$1
case $version in v[0-9]*) ;; *) echo "The version is $version: pass a tag such as v1.2.0" >&2; exit 1 ;; esac
folder=$(mktemp -d)
trap 'git worktree remove --force "$folder"' EXIT
if git fetch --depth 1 origin gh-pages 2>/dev/null; then
  git worktree add --detach "$folder" FETCH_HEAD
else
  git worktree add --detach "$folder"
  git -C "$folder" checkout --orphan gh-pages
  git -C "$folder" rm -r --force --quiet .
fi
rm -rf "${folder:?}/$version"
cp -R dist-site "$folder/$version"
touch "$folder/.nojekyll"
printf '<!doctype html><html lang="en"><title>Accord</title><meta http-equiv="refresh" content="0; url=%s/"><a href="%s/">Accord %s</a>\n' \
  "$version" "$version" "$version" >"$folder/index.html"
git -C "$folder" add --all
git -C "$folder" -c user.name=github-actions -c user.email=github-actions@users.noreply.github.com commit --quiet --message "Publish the documentation of $version"
git -C "$folder" push origin HEAD:gh-pages
