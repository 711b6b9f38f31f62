import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

const folder = new URL("./corpus/", import.meta.url);
const suffix = ".expected.yaml";
const files = readdirSync(folder).filter((file) => file !== "README.md");

/** The names of the bodies in the corpus. */
export const bodies: readonly string[] = files.filter((file) => !file.endsWith(suffix));

/** The names of the bodies with an expected result. */
export const expectations: readonly string[] = files
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

export function readBody(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

export function readExpectation(name: string): unknown {
  return parse(readFileSync(new URL(name + suffix, folder), "utf8"));
}
