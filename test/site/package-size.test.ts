import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { siteFolder } from "../../site/site-folders.js";
import { needing } from "../support/needing.js";

const { it } = needing("tar");

it("takes up as much of the package as docs/install.md states", () => {
  const guide = readFileSync(new URL("../../docs/install.md", import.meta.url), "utf8");
  const [, packed = "", unpacked = ""] =
    /`accord docs` serves accounts for ([\d.]+) MB of the download\s+and ([\d.]+) MB on disk/.exec(guide) ?? [];
  const archive = execFileSync("tar", ["-c", "-C", siteFolder, "."], { maxBuffer: 2 ** 27 });
  // A tolerance of a quarter, so that a new page does not make the guide wrong.
  expect(Math.abs(gzipSync(archive).length / 1e6 / Number(packed) - 1)).toBeLessThan(0.25);
  expect(Math.abs(archive.length / 1e6 / Number(unpacked) - 1)).toBeLessThan(0.25);
});
