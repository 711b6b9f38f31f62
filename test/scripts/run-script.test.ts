import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const cwd = fileURLToPath(new URL("../..", import.meta.url));

describe("a script with an unknown option", () => {
  it.each([
    ["scripts/generate.ts", "--all", /^unknown option --all; this script takes none\n$/],
    ["scripts/docs.ts", "--if-change", /^unknown option --if-change; did you mean --if-changed\?\n$/],
    ["scripts/docs.ts", "--moon", /^unknown option --moon; known options: --if-changed\n$/],
  ])("exits with 1 and a suggestion (%s %s)", async (script, option, message) => {
    const ended = promisify(execFile)(process.execPath, ["--import", "tsx", script, option], { cwd });
    await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });
});
