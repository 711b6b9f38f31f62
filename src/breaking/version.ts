import type { Impact } from "./impact.js";

type Version = readonly [major: number, minor: number, patch: number];

/** Parses `1.2.3`. Throws for any other format, including pre-releases. */
export function parseVersion(text: string): Version {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? [];
  if (major === undefined) throw new Error(`${JSON.stringify(text)} is not a version in the form 1.2.3`);
  return [Number(major), Number(minor), Number(patch)];
}

/** Whether `a` is older than `b`. */
export function isOlder(a: string, b: string): boolean {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

/**
 * Returns the lowest version that a change of this impact needs. Below 1.0.0 a breaking change needs a new minor version, and everything
 * else a new patch version. Source: Semantic Versioning 2.0.0, item 4, and npm's caret ranges.
 */
export function neededVersion(base: string, impact: Impact): string {
  const [major, minor, patch] = parseVersion(base);
  switch (major === 0 && impact === "minor" ? "patch" : impact) {
    case "none":
      return base;
    case "patch":
      return [major, minor, patch + 1].join(".");
    case "minor":
      return [major, minor + 1, 0].join(".");
    case "major":
      return major === 0 ? [0, minor + 1, 0].join(".") : [major + 1, 0, 0].join(".");
  }
}

/** Whether a text is a version such as `1.2.3`. */
export function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+$/.test(text);
}
