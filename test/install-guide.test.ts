import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The files that tell readers what to run: guides, pages, commands and workflows. */
const folders = ["docs", "examples", "openapi", "proto", "reference", "scripts", "site", "src", ".github"];
const files = [
  ...["README.md", "CONTRIBUTING.md", "action.yml", "Containerfile"],
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:md|ts|vue|ya?ml)$/.test(file) && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  ),
];

/** Finds a pattern in all files. */
function find(pattern: RegExp): string[] {
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(pattern)].map(([text]) => `${file}: ${text}`),
  );
}

describe("what readers are told to run", () => {
  it("is found", () => {
    expect(find(/npx --no-install accord/g).length).toBeGreaterThan(20);
  });

  // Neither name is registered for this project, so npm would install a package of somebody else.
  it("downloads no command by its name", () => {
    expect(find(/npx (?:-y |--yes )?(?:accord|buf|prism|redocly|openapi-ts)\b/g)).toEqual([]);
    expect(find(/npm (?:install|i|add|exec)(?: -\S+)* accord\b.*/g).filter((text) => !text.includes(".tgz"))).toEqual(
      [],
    );
    expect(find(/accord-contracts@[\d^~]/g)).toEqual([]);
  });

  it("names files and tags of this version", () => {
    const named = find(/accord-contracts-\d+\.\d+\.\d+\.tgz|(?:accord\.git#|accord@)v\d+\.\d+\.\d+/g);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((text) => !text.includes(version))).toEqual([]);
  });
});
