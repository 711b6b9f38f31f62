import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createChatMock } from "../../src/chat/mock.js";
import { type JsonReport, jsonReportSchema } from "../../src/report/model/json-report.js";
import { listenOn } from "../support/listen-on.js";
import { startAccord } from "../support/run-accord.js";
import { runInProcess } from "../support/run-in-process.js";

let folder = "";
let server = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accord-proxy-"));
  const mock = await createChatMock();
  server = `${mock.url}/api/v1`;
  return async () => {
    await mock.close();
    await rm(folder, { recursive: true });
  };
});

const credentials = { Authorization: `Basic ${btoa("hamlet@example.com:sesame-key-0123")}` };

/** Starts the proxy in a child process. */
async function startProxy(...options: readonly string[]) {
  const running = startAccord("proxy", "chat", server, "--port", "0", ...options);
  const [, url = ""] = await running.printed(/chat proxy\s+(\S+) before/);
  return {
    url,
    stop: async () => {
      running.child.kill("SIGINT");
      return running.finished;
    },
  };
}

/** Runs the proxy in this process until `use`, which gets its URL, is done. */
async function proxied(use: (url: string) => Promise<unknown>, ...options: readonly string[]) {
  const socket = createServer();
  const port = await listenOn(socket);
  await new Promise((resolve) => socket.close(resolve));
  const url = `http://127.0.0.1:${port}`;
  const finished = runInProcess("proxy", "chat", server, "--port", String(port), ...options);
  const status = () =>
    fetch(`${url}/accord/report`).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);
  await use(`${url}/api/v1`);
  process.emit("SIGHUP");
  return finished;
}

describe("accord proxy chat", () => {
  it("passes a client without mistakes, and reports what it covered", async () => {
    const report = join(folder, "passed.json");
    const use = (url: string) =>
      fetch(`${url}/messages?anchor=newest&num_before=5&num_after=0`, { headers: credentials }).then((one) =>
        one.text(),
      );
    const { code, stdout } = await proxied(use, "--json", report);
    const { coverage, exitCode, level }: JsonReport = JSON.parse(await readFile(report, "utf8"));

    expect(stdout).toMatch(/PASS {2}\d+ rules kept, none broken/);
    expect(code).toBe(0);
    expect({ exitCode, level, exchanges: coverage?.exchanges }).toEqual({ exitCode: 0, level: 415, exchanges: 1 });
    expect(coverage?.sections[0]?.items).toContainEqual({ name: "getMessages", count: 1 });
  });

  it("names each mistake live and in every report, groups repeated ones, and masks keys", async () => {
    const files = ["json", "junit", "html"].map((kind) => join(folder, `failed.${kind}`));
    const [json = "", junit = "", html = ""] = files;
    const { url, stop } = await startProxy("--json", json, "--junit", junit, "--html", html);
    for (const body of ["tpic=a", "tpic=b", "topic=c"]) {
      const headers = { ...credentials, "Content-Type": "application/x-www-form-urlencoded" };
      await (await fetch(`${url}/messages/31`, { method: "PATCH", headers, body })).text();
    }
    const live: JsonReport = JSON.parse(await (await fetch(`${new URL(url).origin}/accord/report`)).text());
    const { code, stdout, stderr } = await stop();
    const name = "client editMessage: request.name tpic";

    expect(code).toBe(1);
    expect(live.checks.find(({ id }) => id === name)).toMatchObject({
      verdict: "failed",
      summary: expect.stringContaining("2 exchanges"),
    });
    expect(stderr.match(/^broken .*$/gm)).toEqual([
      "broken    client editMessage: tpic is not a parameter; did you mean topic?",
    ]);
    expect(new Ajv2020({ validateFormats: false }).validate(jsonReportSchema, live)).toBe(true);
    expect(await readFile(html, "utf8")).toContain('<h2 id="coverage-title">Coverage</h2>');
    for (const file of files) expect(await readFile(file, "utf8")).toContain(name);
    expect(stdout).toContain(name);
    for (const text of [stdout, stderr, ...(await Promise.all(files.map((file) => readFile(file, "utf8"))))]) {
      expect(text).not.toMatch(/sesame|c2VzYW1l|aGFtbGV0/);
    }
  });

  it("accepts known findings, and rejects entries that no longer occur", async () => {
    const list = join(folder, "known.yaml");
    await writeFile(
      list,
      [
        "- {name: 'client editMessage: request.name tpic', reason: Fixed next week.}",
        "- {name: 'client editMessage: request.name tpoic', reason: Fixed long ago.}",
        "- {name: 'client unsubscribe: request.type subscriptions', reason: Not called here.}",
      ].join("\n"),
    );
    const headers = { ...credentials, "Content-Type": "application/x-www-form-urlencoded" };
    const use = (url: string) =>
      fetch(`${url}/messages/31`, { method: "PATCH", headers, body: "tpic=a" }).then((one) => one.text());
    const { code, stdout } = await proxied(use, "--known-failing", list);

    expect(stdout).toMatch(/request\.name tpoic {2}OUT OF DATE/);
    expect(stdout).toMatch(/KNOWN TO FAIL {2}1 check/);
    expect(stdout).not.toContain("unsubscribe: request.type");
    expect(code).toBe(1);
  });

  it("has no verdict without traffic, and says why it cannot start", async () => {
    const idle = await proxied(async () => {});
    const unreachable = await runInProcess("proxy", "chat", "http://127.0.0.1:1/api/v1");

    expect(idle.code).toBe(2);
    expect(idle.stdout).toContain("No exchange was judged: there was none.");
    expect(unreachable.code).toBe(2);
    expect(unreachable.stderr).toMatch(/does not answer: .*Start the server, or correct the URL/s);
  });

  it("writes the reports and completes the recording after a server sent what is not HTTP", async () => {
    const hostile = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n"));
    });
    const port = await listenOn(hostile);
    const [json, har] = [join(folder, "hostile.json"), join(folder, "hostile.har")];
    const url = `http://127.0.0.1:${port}/api/v1`;
    const options = ["--feature-level", "415", "--strain", "--json", json, "--har", har];
    const running = startAccord("proxy", "chat", url, "--port", "0", ...options);
    const [, own = ""] = await running.printed(/chat proxy\s+(\S+) before/);
    for (let round = 0; round < 3; round++) await (await fetch(`${own}/server_settings`)).text();
    running.child.kill("SIGINT");
    const { code, stderr } = await running.finished;
    hostile.close();
    const { checks }: JsonReport = JSON.parse(await readFile(json, "utf8"));

    expect(code).toBe(1);
    expect(stderr).toContain("the server sent status 000");
    expect(checks.map(({ id }) => id)).toContain("server getServerSettings: response.contract not HTTP");
    expect(JSON.parse(await readFile(har, "utf8")).log.entries).toHaveLength(3);
  });
});

describe("accord check", () => {
  it("reports on what the proxy recorded", async () => {
    const har = join(folder, "traffic.har");
    const headers = { ...credentials, "Content-Type": "application/x-www-form-urlencoded" };
    const use = async (url: string) => {
      await (await fetch(`${url}/server_settings`)).text();
      await (await fetch(`${url}/messages/31`, { method: "PATCH", headers, body: "tpic=a" })).text();
    };
    await proxied(use, "--har", har, "--quiet");
    const checked = await runInProcess("check", har);
    const missing = await runInProcess("check", join(folder, "none.har"));

    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("client editMessage: request.name tpic");
    expect(checked.stdout).toContain("feature level 415");
    expect({ code: missing.code, stderr: missing.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: The recording .* cannot be read: ENOENT/),
    });
  });
});
