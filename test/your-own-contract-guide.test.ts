import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findContract } from "../src/contract/project/read-project.js";
import { loadOpenApi } from "../src/contract/rest/load-openapi.js";
import { listAllRules } from "../src/contract/rest/rules.js";
import { addRules } from "../src/contract/rest/rules-file.js";
import { guideExample } from "./support/guide-example.js";
import { makeFolder, shop, write } from "./support/museum.js";
import { needing } from "./support/needing.js";

const guide = "docs/your-own-contract.md";
const cli = fileURLToPath(new URL("../dist/reference/cli/main.js", import.meta.url));
const { describe } = needing("bash");

/** Makes a folder with the document of the guide, in which `npx --no-install accord` is the built command. */
function makeProject(files: Readonly<Record<string, string>> = {}) {
  const folder = makeFolder({ "openapi.yaml": guideExample(guide, "openapi.yaml"), ...files });
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "accord"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(join(bin, "accord"), 0o755);
  const run = (example: string) => promisify(execFile)("bash", ["-euc", guideExample(guide, example)], { cwd: folder });
  return { folder, run };
}

describe("docs/your-own-contract.md", () => {
  it("leads from a document to a project without mistakes, with generated types", async () => {
    const { folder, run } = makeProject();
    expect((await run("init")).stdout).toMatch(
      /^wrote accord\.yaml\nwrote rules\.yaml\nmuseum: 2 operations\. Next:\n/,
    );
    const { stdout } = await run("lint");
    expect(stdout).toBe("museum: no errors, no warnings\n");
    expect(readFileSync(join(fileURLToPath(new URL("..", import.meta.url)), guide), "utf8")).toContain(stdout);
    expect((await run("generate")).stdout).toBe("wrote 2 files into generated/museum\n");
    write(folder, { "rules.yaml": guideExample(guide, "rules.yaml") });
    expect((await run("lint")).stdout).toBe("museum: no errors, no warnings\n");
  });

  it("shows an accord.yaml and rules that can be read", async () => {
    const { folder } = makeProject({
      "accord.yaml": guideExample(guide, "accord.yaml"),
      "rules.yaml": guideExample(guide, "rules.yaml"),
      "proto/shop.proto": shop,
    });
    const museum = findContract("museum", join(folder, "accord.yaml"));
    expect(museum).toMatchObject({ kind: "rest", conventions: { caller: "visitor", error: { code: "/code" } } });
    const { document, problems } = addRules(
      await loadOpenApi(join(folder, "openapi.yaml")),
      join(folder, "rules.yaml"),
    );
    expect(problems).toEqual([]);
    expect(listAllRules(document).map(({ id }) => id)).toEqual(["errors.have-a-code", "listArtworks.newest-first"]);
  });

  it("names every key of accord.yaml", () => {
    const { $defs } = JSON.parse(readFileSync(new URL("../openapi/accord.schema.json", import.meta.url), "utf8"));
    const text = readFileSync(new URL(`../${guide}`, import.meta.url), "utf8");
    const { error, level, credentials, ...others } = $defs.rest.properties;
    const keys = [error, level, credentials].flatMap((one) => Object.keys(one.properties)).concat(Object.keys(others));
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
  });
});
