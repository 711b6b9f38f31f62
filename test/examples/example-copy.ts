import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of an example for one test. */
export interface ExampleCopy {
  readonly folder: string;
  /** Replaces code in a file. Throws if the file does not have it, so that every change has an effect. */
  readonly replace: (file: string, from: string, to: string) => void;
}

/** Copies an example into a temporary folder, until the end of the test. */
export function copyExample(name: string): ExampleCopy {
  const folder = mkdtempSync(join(tmpdir(), `accord-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, "examples", name), folder, { recursive: true });
  const replace = (file: string, from: string, to: string) => {
    const code = readFileSync(join(folder, file), "utf8");
    if (!code.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(join(folder, file), code.replace(from, to));
  };
  return { folder, replace };
}

/** The README of an example, with each line of shell joined to its continuation. */
function readmeLines(name: string): string[] {
  return readFileSync(join(root, "examples", name, "README.md"), "utf8")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
}

/** Replacements of texts in a line, such as addresses. */
type Replacements = Readonly<Record<string, string>>;

/**
 * Returns the first line of shell in the README of an example, after a title if one is given, that begins with a text, after replacing
 * other texts. Throws if the README lacks any of them.
 */
export function readmeLine(name: string, start: string, replacements: Replacements = {}, title?: string): string {
  const lines = readmeLines(name);
  const line = lines.slice(title === undefined ? 0 : lines.indexOf(title)).find((text) => text.startsWith(start));
  if (line === undefined) throw new Error(`The README of ${name} has no line that begins with ${start}`);
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The line \`${start}\` of ${name} has no ${from}`);
    return text.replaceAll(from, to);
  }, line);
}

/**
 * Returns the arguments of the first `npx --no-install accord` line in the README of an example, after a title if one is given. They must
 * need no quotes.
 */
export function accordArguments(name: string, replacements: Replacements, title?: string): string[] {
  return readmeLine(name, "npx --no-install accord ", replacements, title).split(/\s+/).slice(3);
}
