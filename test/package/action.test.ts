import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type ChatReference, createChatReference } from "../../reference/chat/create-chat-reference.js";
import { needing } from "../support/needing.js";

const { describe } = needing("bash");

const root = fileURLToPath(new URL("../..", import.meta.url));
const action = parse(readFileSync(join(root, "action.yml"), "utf8"));

let reference: ChatReference;
let folder = "";
beforeAll(async () => {
  reference = await createChatReference({ states: true });
  folder = mkdtempSync(join(tmpdir(), "accord-action-"));
  mkdirSync(join(folder, "bin"));
  // Instead of installing, records what would be installed and links the sources.
  script("bin/npm", `echo "$@" > "$RUNNER_TEMP/npm"`);
  const accord = `exec "${process.execPath}" "${root}dist/reference/cli/main.js" "$@"`;
  mkdirSync(join(folder, "accord/node_modules/.bin"), { recursive: true });
  script("accord/node_modules/.bin/accord", accord);
});
afterAll(async () => {
  await reference.close();
  rmSync(folder, { recursive: true });
});

function script(name: string, body: string): void {
  writeFileSync(join(folder, name), `#!/bin/bash\n${body}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs a step of the action as the runner does. */
async function runStep(name: string, inputs: Readonly<Record<string, string>>) {
  const step = action.runs.steps.find((one: { name: string }) => one.name === name);
  const defaults = Object.entries(action.inputs).map(([key, input]) => [
    key,
    (input as { default?: string }).default ?? "",
  ]);
  const given: Record<string, string> = { ...Object.fromEntries(defaults), ...inputs };
  const variables = Object.entries<string>(step.env).map(([key, value]) => [
    key,
    value.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input) => given[input] ?? ""),
  ]);
  const env = {
    ...process.env,
    ...Object.fromEntries(variables),
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    GITHUB_ACTIONS: "true",
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
  const run = promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", step.run], {
    cwd: folder,
    env,
  });
  return await run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

describe("action.yml", () => {
  it("installs the given file and nothing else", async () => {
    writeFileSync(join(folder, "accord-contracts-0.2.0.tgz"), "");
    expect((await runStep("Install", { contract: "chat", package: "accord-contracts-0.2.0.tgz" })).code).toBe(0);
    const installed = readFileSync(join(folder, "npm"), "utf8")
      .split(" ")
      .filter((word) => !word.startsWith("-"));
    expect(installed.at(-1)).toBe(`${realpathSync(folder)}/accord-contracts-0.2.0.tgz\n`);
  });

  it("installs what is not a file as given, and nothing by a name in the registry", async () => {
    const url = "https://example.org/accord-contracts-0.2.0.tgz";
    expect((await runStep("Install", { contract: "daemon", package: url })).code).toBe(0);
    expect(readFileSync(join(folder, "npm"), "utf8")).toMatch(new RegExp(` ${url}\n$`));
    expect(action.inputs.package).toMatchObject({ required: true });
    expect(action.inputs.package.default).toBeUndefined();
  });

  it("verifies, and writes a summary and reports", async () => {
    const { code, stdout } = await runStep("Verify", {
      contract: "chat",
      url: `${reference.url}/api/v1`,
      states: reference.statesUrl,
      strict: "true",
      arguments: "--only=probe unsubscribe\n--seed=1\n",
    });
    expect(stdout).toContain("PASS");
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain("## PASS: accord verify chat");
    const [, report = ""] = readFileSync(join(folder, "output"), "utf8").trim().split("report=");
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ strict: true, seed: 1 });
    expect(readFileSync(report.replace(/json$/, "html"), "utf8")).toContain("PASS");
  });

  it("exits as accord verify does", async () => {
    const { code, stdout } = await runStep("Verify", {
      contract: "chat",
      url: `${reference.url}/api/v1`,
      states: `${reference.url}/states`,
      arguments: "--only=case getServerSettings/\n--feature-level=1\n--known-failing=missing.yaml",
    });
    expect(code).toBe(2);
    expect(stdout).not.toContain("PASS");
  });

  it("executes no text of an input", async () => {
    const planted = join(folder, "planted");
    await runStep("Verify", { contract: "chat", url: `http://127.0.0.1:1/$(touch ${planted})";touch ${planted};"` });
    expect(() => readFileSync(planted)).toThrow("ENOENT");
  });
});
