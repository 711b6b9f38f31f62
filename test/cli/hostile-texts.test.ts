import { createServer } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { listenOn } from "../support/listen-on.js";
import { makeFolder, museum } from "../support/museum.js";
import { runInFolder } from "../support/run-in-process.js";

const hostile = "a\u001b[31m\u009b31m\u202e\u2066\n::error::bad ##[error]bad\r\n  ::set-output name=a::b";
const { get } = museum.paths["/artworks"];
const document = {
  ...museum,
  info: { ...museum.info, description: hostile },
  [`x-${hostile}`]: [hostile, { [hostile]: hostile }],
  paths: {
    "/artworks": { get: { ...get, operationId: hostile, summary: hostile, [hostile]: 1 } },
    [`/${hostile}`]: { get: { ...get, operationId: `${hostile}b`, parameters: [{ name: hostile, in: hostile }] } },
    "/broken": { get: { responses: { [hostile]: { $ref: `./${hostile}.yaml` } } } },
  },
};

const texts = {
  ...museum,
  [`x-${hostile}`]: [hostile, { [hostile]: hostile }],
  paths: { "/artworks": { get: { ...get, summary: hostile } } },
};

const valid = { "accord.yaml": "contracts:\n  museum: {openapi: openapi.yaml}\n", "openapi.yaml": texts };
const broken = {
  ...valid,
  "openapi.yaml": document,
  "rules.yaml": `${JSON.stringify(hostile)}:\n  - {id: ${JSON.stringify(hostile)}, text: A., ${JSON.stringify(hostile)}: 1}\n`,
};

/** What an output has that would control a terminal or the log of GitHub. */
function controlsIn(output: string, allowed = /^(?!)/): string[] {
  const commands = output.split("\n").filter((line) => /^\s*::|##\[/.test(line) && !allowed.test(line));
  return [...(output.match(/[^\P{C}\n\t]/gu) ?? []), ...commands];
}

describe("texts of a document", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ["lint", valid, []],
    ["lint", broken, ["--tier", "strict"]],
    ["spec", valid, ["museum"]],
    ["spec", valid, ["museum", "--format", "json"]],
    ["spec", broken, ["museum"]],
    ["generate", valid, []],
    ["generate", broken, []],
    ["breaking", valid, ["--against", `HEAD${hostile}`]],
    ["verify", valid, ["museum", "http://127.0.0.1:9"]],
    ["verify", broken, ["museum", "http://127.0.0.1:9"]],
    ["mock", broken, ["museum", "--port", "0"]],
    ["docs", broken, [`museum${hostile}`]],
  ])("control nothing in the output of %s", async (command, files, args) => {
    const { stdout, stderr } = await runInFolder(makeFolder(files), command, ...args);
    expect(stdout + stderr).not.toBe("");
    expect(controlsIn(stdout + stderr)).toEqual([]);
  });

  it("control nothing in the output of init", async () => {
    const { stdout, stderr } = await runInFolder(makeFolder({ "openapi.yaml": document }), "init", "openapi.yaml");
    expect(stdout + stderr).not.toBe("");
    expect(controlsIn(stdout + stderr)).toEqual([]);
  });

  it("are in the annotations of lint, which are no commands of their own", async () => {
    vi.stubEnv("GITHUB_ACTIONS", "true");
    const { stdout, stderr } = await runInFolder(makeFolder(broken), "lint");
    expect(stdout).toMatch(/^::error file=.*%0A/m);
    expect(controlsIn(stdout + stderr, /^::(?:error|warning) [^:]*::/)).toEqual([]);
  });

  it("control nothing in the report of verify", async () => {
    const server = createServer((_, response) => response.end("{}"));
    const port = await listenOn(server);
    onTestFinished(() => void server.close());
    const named = { ...texts, info: { ...museum.info, version: hostile } };
    const files = {
      ...valid,
      "openapi.yaml": named,
      "rules.yaml": { listArtworks: [{ id: "listArtworks.first", text: hostile }] },
    };
    const url = `http://127.0.0.1:${port}/v1`;
    const { stdout, stderr } = await runInFolder(makeFolder(files), "verify", "museum", url);
    expect(stdout).toContain("listArtworks");
    // GitHub executes no command within a report.
    expect(controlsIn(stdout + stderr, /^(?!\s*::)/)).toEqual([]);
  });

  it("are the same in what spec prints", async () => {
    const { stdout } = await runInFolder(makeFolder(valid), "spec", "museum");
    expect(parse(stdout)[`x-${hostile}`]).toEqual([hostile, { [hostile]: hostile }]);
  });
});
