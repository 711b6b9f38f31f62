import { openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { replaceFiles } from "../../scripts/replace-files.js";
import { makeFolder } from "../support/museum.js";

it("replaces the files of a folder, deletes stale ones, and leaves opened ones readable", () => {
  const from = makeFolder({ "a.js": "new a", "new/b.js": "new b" });
  const to = makeFolder({ "a.js": "old a", "old/c.js": "old c" });
  const opened = openSync(join(to, "a.js"), "r");
  replaceFiles(from, to);
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(["a.js", "b.js"]);
  expect(readFileSync(join(to, "a.js"), "utf8")).toBe("new a");
  expect(readFileSync(opened, "utf8")).toBe("old a");
});
