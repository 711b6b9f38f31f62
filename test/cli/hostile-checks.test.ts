import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { startAccordIn } from "../support/run-accord.js";

const list = { description: "All", content: { "application/json": { schema: { type: "array" } } } };
const openapi = {
  ...{ openapi: "3.1.0", info: { title: "Pets", version: "1" } },
  paths: { "/pets": { get: { operationId: "listPets", responses: { 200: list } } } },
};

/** Verifies a correct server by a contract with two checks in code: one that does this, and one that does nothing wrong. */
async function verify(body: string, timeoutMs = 1_000) {
  const folder = mkdtempSync(join(tmpdir(), "accord-checks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "checks"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "accord.yaml"), "contracts: {pets: {openapi: openapi.json}}");
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(openapi));
  const check = (name: string, run: string) =>
    `export const ${name} = {id: "workflow ${name}", operation: "pets", summary: "${name}", rules: ["listPets.response"], run: async (server) => {${run}}};\n`;
  writeFileSync(join(folder, "checks", "all.js"), check("hostile", body) + check("good", ""));
  const { url, close } = await listen(
    createServer((request, response) => {
      const isKnown = request.method === "POST" || request.url === "/pets";
      response.writeHead(isKnown ? 200 : 404, { "Content-Type": "application/json" });
      response.end(request.method === "POST" ? '{"organization":"o","credentials":{}}' : "[]");
    }),
  );
  onTestFinished(close);
  const json = join(folder, "report.json");
  const args = ["verify", "pets", url, "--states", url, "--json", json, "--quiet", "--timeout", String(timeoutMs)];
  const { code, stderr } = await startAccordIn(folder, ...args).finished;
  const { checks }: JsonReport = JSON.parse(readFileSync(json, "utf8"));
  const outcomeOf = (name: string) => checks.find(({ id }) => id === `workflow ${name}`);
  return { code, stderr, hostile: outcomeOf("hostile"), good: outcomeOf("good") };
}

describe("a check in code that", () => {
  it.each<[string, string, RegExp, number?]>([
    ["ends the process", "process.exit(0);", /called process\.exit/],
    [
      "ends the process later",
      "setTimeout(() => process.exit(0), 20); await new Promise(() => {});",
      /called process\.exit/,
    ],
    ["never settles", "await new Promise(() => {});", /did not end within 10 s/],
    ["loops for ever", "for (;;);", /loops without end/, 500],
    [
      "loops for ever after a call",
      "await server.send({method: 'GET', url: '/pets'}); for (;;);",
      /loops without end/,
      500,
    ],
    ["throws", "null.x;", /it threw: TypeError/],
    [
      "throws apart from its promise",
      "setTimeout(() => { throw new Error('late') }, 5); await new Promise(() => {});",
      /late/,
    ],
    ["rejects apart from its promise", "void Promise.reject(new Error('late')); await new Promise(() => {});", /late/],
  ])("%s could not run, and the others do", async (_, body, reason, timeoutMs) => {
    const { code, hostile, good, stderr } = await verify(body, timeoutMs);
    expect(hostile).toMatchObject({ outcome: "errored", reason: expect.stringMatching(reason) });
    // A loop ends the run.
    if (timeoutMs === undefined) expect(good).toMatchObject({ outcome: "passed" });
    expect(code).toBe(2);
    expect(stderr).not.toContain("    at ");
  });

  it("blocks the process ends it with a sentence", async () => {
    const block = "(await import('node:child_process')).execFileSync('sleep', ['60'])";
    const ended = runScript("verify/run/code-guard", `createCodeGuard(500).run("a", async () => { ${block}; })`);
    const stderr = expect.stringContaining("blocks the process");
    await expect(ended).rejects.toMatchObject({ signal: "SIGKILL", stderr });
  });
});

describe("code of checks that is loaded", () => {
  it.each([
    ["loops", "for (;;);"],
    ["waits", "await new Promise(() => {});"],
  ])("and %s for ever is given up", async (_, body) => {
    const load = `loadWithin(() => import(${JSON.stringify(`data:text/javascript,${body}`)}), 500)`;
    expect(await runScript("base/loop-watch", load)).toBe("it did not load within 0.5 s");
  });
});

/** Runs a call of a module in a process of its own. Returns the message of its error. */
async function runScript(module: string, call: string): Promise<string> {
  const url = new URL(`../../dist/src/${module}.js`, import.meta.url);
  const script = `const { ${call.split("(", 1)} } = await import(${JSON.stringify(url.href)});
    await ${call}.catch(({ message }) => process.stdout.write(message, () => process.exit()));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return stdout;
}
