import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadRpcContract } from "../../src/contract/rpc/load-rpc-contract.js";
import { notesDocument } from "../contracts/notes/document.js";
import { notesFiles, startRpcNotes } from "../contracts/notes/rpc-server.js";
import { startNotes } from "../contracts/notes/server.js";
import { startAccordIn } from "../support/run-accord.js";

/** Writes the files of a project, with its `accord.yaml`. */
function projectOf(contract: string, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "accord-interrupted-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...files, "accord.yaml": `contracts:\n  notes:\n    ${contract}\n` })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const options = ["--disposable", "--only", "workflow ", "--jobs", "1", "--rate", "20"];

it("removes what a run made over REST when Ctrl+C ends it", async () => {
  const folder = projectOf("openapi: openapi.json", { "openapi.json": JSON.stringify(notesDocument()) });
  const { url, left, close } = await startNotes();
  onTestFinished(close);
  const { child, finished } = startAccordIn(folder, "verify", "notes", url, "--account", "ada", ...options);
  await expect.poll(left).toBeGreaterThan(0);
  child.kill("SIGINT");
  expect((await finished).signal).toBe(null);
  expect(left()).toBe(0);
});

it("removes what a run made over RPCs when Ctrl+C ends it, and says beforehand how much it sends", async () => {
  const proto = Object.fromEntries(Object.entries(notesFiles).map(([path, text]) => [`proto/${path}`, text]));
  const folder = projectOf("proto: proto", proto);
  const contract = await loadRpcContract({ name: "notes", proto: join(folder, "proto") });
  const { url, left, close } = await startRpcNotes(contract);
  onTestFinished(close);
  const { child, finished } = startAccordIn(folder, "verify", "notes", url, ...options);
  await expect.poll(left).toBeGreaterThan(0);
  child.kill("SIGINT");
  const { signal, stderr } = await finished;
  expect(signal).toBe(null);
  expect(stderr).toMatch(/checks derived from the document: at most \d+ requests, \d+ of them to one operation/);
  expect(left()).toBe(0);
});
