import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { MissingPeerError } from "../../src/base/missing-peer-error.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const { peerDependencies, optionalDependencies } = JSON.parse(read("package.json"));
const { packages } = JSON.parse(read("package-lock.json"));

/** The packages with versions in the commands that install some, in a text. */
function namedVersions(text: string): [name: string, version: string][] {
  const commands = text.match(/(?:npm (?:install|i|ci)|npx(?: -y| --yes)?) [^\n`|#]*/g) ?? [];
  return commands.flatMap((command) =>
    [...command.matchAll(/(?<=\s)((?:@[\w.-]+\/)?[\w.-]+)@(\d[\w.-]*)/g)].map(
      ([, name = "", version = ""]): [string, string] => [name, version],
    ),
  );
}

const guides = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((file) =>
  file.endsWith(".md"),
);

it.each<[string, string]>([
  ["an error about a missing package", new MissingPeerError("This", ...Object.keys(peerDependencies)).message],
  ["an error about an optional one", new MissingPeerError("This", ...Object.keys(optionalDependencies)).message],
  ...guides.map((file): [string, string] => [file, read(file)]),
])("%s names only versions that exist", (_, text) => {
  for (const [name, version] of namedVersions(text)) {
    const locked: string = packages[`node_modules/${name}`]?.version ?? "none";
    expect(`${name}@${locked}`).toMatch(new RegExp(`^${name}@${version.replaceAll(".", "\\.")}(?:\\.|$)`));
  }
});

it("finds versions in commands", () => {
  expect(namedVersions("run `npm install --save-dev typescript@5 @a/b@1.2.3` now")).toEqual([
    ["typescript", "5"],
    ["@a/b", "1.2.3"],
  ]);
});
