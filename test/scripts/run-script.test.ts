import { afterEach, expect, it, vi } from "vitest";
import { runScript } from "../../scripts/run-script.js";

const { argv, exitCode } = process;
afterEach(() => {
  process.argv = argv;
  process.exitCode = exitCode;
  vi.restoreAllMocks();
});

const many = Array.from({ length: 21 }, (_, index) => `no-limit-${index}`);

it.each<[option: string, known: readonly string[], message: string]>([
  ["--all", [], "unknown option --all; this script takes none\n"],
  ["--if-change", ["--if-changed"], "unknown option --if-change; did you mean --if-changed?\n"],
  ["--moon", ["--if-changed", "--all"], "unknown option --moon; known options: --if-changed, --all\n"],
  ["moon", many, "unknown option moon; none of the 21 known names is similar\n"],
])("does not run a script with the unknown option %s", async (option, known, message) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const work = vi.fn(async () => {});
  process.argv = ["node", "script.ts", option];
  await runScript(work, known);
  expect(work).not.toHaveBeenCalled();
  expect(write.mock.calls).toEqual([[message]]);
  expect(process.exitCode).toBe(1);
});
