import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { callLibrary } from "../contracts/library/client.js";
import { startLibrary } from "../contracts/library/server.js";
import type { MuseumFault } from "../contracts/museum/faults.js";
import { startMuseum } from "../contracts/museum/server.js";
import { startAccordIn } from "../support/run-accord.js";
import { runInFolder } from "../support/run-in-process.js";

const folderOf = (name: string) => fileURLToPath(new URL(`../contracts/${name}`, import.meta.url));
const museum = folderOf("museum");
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accord-traffic-"));
  return () => rm(folder, { recursive: true });
});

/** Starts the museum's server, and the proxy before it in a child process. */
async function startProxy(fault: MuseumFault | undefined, ...options: readonly string[]) {
  const server = await startMuseum(fault);
  onTestFinished(() => server.close());
  const setup = await fetch(server.statesUrl, {
    method: "POST",
    body: JSON.stringify({ state: "museum", action: "setup" }),
  });
  const { credentials }: { credentials: { curator: { access_token: string } } } = JSON.parse(await setup.text());
  const running = startAccordIn(museum, "proxy", "museum", server.url, "--port", "0", ...options);
  const [line, url = ""] = await running.printed(/museum proxy (\S+) before .*/);
  return {
    line,
    call: async (path: string, init?: RequestInit) => {
      const headers = { ...init?.headers, Authorization: `Bearer ${credentials.curator.access_token}` };
      await (await fetch(`${url}${path}`, { ...init, headers })).arrayBuffer();
    },
    stop: () => {
      running.child.kill("SIGINT");
      return running.finished;
    },
    token: credentials.curator.access_token,
  };
}

const json = (body: object) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
const watch = { title: "Pocket watch", room: "north", materials: ["gold"] };

describe("accord proxy of a contract of accord.yaml", () => {
  it("passes a client and a server without mistakes", async () => {
    const report = join(folder, "passed.json");
    const { line, call, stop } = await startProxy(undefined, "--json", report);
    await call("/exhibits?room=west&room=north&made[from]=1600");
    await call("/exhibits", json(watch));
    await call("/exhibits/17/image");
    const { code, stdout } = await stop();
    const { contract, level, coverage }: JsonReport = JSON.parse(await readFile(report, "utf8"));

    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("PASS") });
    expect({ contract, level, exchanges: coverage?.exchanges }).toEqual({
      ...{ contract: "museum", level: undefined, exchanges: 3 },
    });
    expect(line).not.toContain("feature level");
  });

  it("names the mistakes of the client and of the server, also from the recording", async () => {
    const har = join(folder, "museum.har");
    const { call, stop, token } = await startProxy("create-without-location", "--har", har);
    await call("/exhibits?romm=west");
    await call("/exhibits", json({ ...watch, materials: "gold" }));
    await call("/exhibits", json(watch));
    const proxied = await stop();
    const checked = await runInFolder(museum, "check", "museum", har);

    for (const { code, stdout } of [proxied, checked]) {
      expect(code).toBe(1);
      expect(stdout).toContain("client listExhibits: request.name romm");
      expect(stdout).toMatch(/client createExhibit: request\.\S+ materials/);
      expect(stdout).toContain("server createExhibit: response.contract");
    }
    for (const text of [proxied.stdout, proxied.stderr, checked.stdout, await readFile(har, "utf8")]) {
      expect(text).not.toContain(token);
    }
  });

  it("strains the client", async () => {
    const { line, call, stop } = await startProxy(undefined, "--strain", "--seed", "3");
    for (let round = 0; round < 10; round++) await call("/exhibits/17");
    const { code, stdout } = await stop();

    expect(line).toContain("strained with --seed 3");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("strain") });
  });
});

describe("accord proxy of a contract in Protobuf", () => {
  it("names the mistakes of the client and of the server, also from the recording", async () => {
    const server = await startLibrary("return-early");
    onTestFinished(server.close);
    const har = join(folder, "library.har");
    const running = startAccordIn(folderOf("library"), "proxy", "library", server.url, "--port", "0", "--har", har);
    const [, url = ""] = await running.printed(/library proxy (\S+) before .*/);
    await callLibrary(url);
    running.child.kill("SIGINT");
    const proxied = await running.finished;
    const checked = await runInFolder(folderOf("library"), "check", "library", har);

    for (const { code, stdout } of [proxied, checked]) {
      expect(code).toBe(1);
      expect(stdout).toContain("client Catalogue/SearchBooks: call.empty-field title");
      expect(stdout).toContain("server Loans/Return: return.never-early");
    }
  });
});

describe.each([["proxy"], ["check"]])("accord %s", (command) => {
  it.each([
    [museum, ["gallery", "x"], "There is no contract gallery: "],
    [folderOf("library"), ["library", "x", "--feature-level", "3"], "--feature-level does not apply to library"],
    [museum, ["museum", "x", "--package", "a.v1"], "--package does not apply to museum"],
    [museum, ["museum", "x", "--project", "none.yaml"], "There is no none.yaml"],
  ])("rejects %s %j", async (cwd, args, message) => {
    const { code, stderr } = await runInFolder(cwd, command, ...args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

it.each([
  [["proxy", "museum", "127.0.0.1:1/v2"], "must be http or https, such as "],
  [["proxy", "museum", "http://127.0.0.1:1/v2", "--feature-level", "7"], "level must be an integer from 0 to 0"],
  [["check", "museum", "x.har", "--feature-level", "7"], "level must be an integer from 0 to 0"],
  [["check", "museum", "x.har", "--contract", "chat"], "The contract is named twice"],
])("accord rejects %j", async (args, message) => {
  const { code, stderr } = await runInFolder(museum, ...args);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
