import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import { runInProcess } from "../support/run-in-process.js";
import type { Answer, SeenRequest } from "../verify/rest/example-server.js";
import { startStubChat } from "../verify/rest/stub-chat.js";

const key = "open-sesame/+? 0123456789".replaceAll(" ", "");
const email = "me@real.example";
const account = `${email}:${key}`;
const settings = { result: "success", msg: "", service_feature_level: newestLevel };
const refused = { status: 401, body: { result: "error", msg: "Who?", code: "UNAUTHORIZED" } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "accord-account-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  delete process.env.ACCORD_ACCOUNT;
});

function hasAccount({ authorization = "" }: SeenRequest): boolean {
  return authorization === `Basic ${Buffer.from(account).toString("base64")}`;
}

/** A server that knows the account, and responds to everything else with `answer`. */
async function startServer(answer: (request: SeenRequest) => Answer) {
  const server = await startStubChat((request) => {
    if (request.url === "/api/v1/server_settings") return { body: settings };
    if (request.url?.includes("accord-no-such-operation")) return { status: 404, body: "no such path" };
    return hasAccount(request) ? answer(request) : refused;
  });
  return { ...server, api: `${server.url}/api/v1` };
}

/** A text in the encodings in which a server may echo it. */
function encodedTexts(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) => Buffer.from(" ".repeat(offset) + text).toString("base64"));
  return [text, encodeURIComponent(text), text.replaceAll("/", "\\/"), ...base64];
}

/** The characters of these encodings that a report must not contain. */
function spellingsOf(text: string): string[] {
  return encodedTexts(text).map((encoded) => encoded.slice(4, -4));
}

describe("accord verify chat --account", () => {
  it("shows the key in no output and report, however the server echoes it", async () => {
    const server = await startServer(() => ({
      status: 500,
      headers: { "X-Echo": key },
      body: [
        account,
        ...encodedTexts(key),
        ...["base64", "base64url"].map((code) => Buffer.from(account).toString(code as "base64")),
      ].join(" "),
    }));
    const names = ["report.json", "report.xml", "report.html", "failing.yaml", "ctrf.json", "report.md"];
    const files = names.map((name) => join(folder, name));
    const options = ["--json", "--junit", "--html", "--write-known-failing", "--ctrf", "--markdown"];
    const written = options.flatMap((option, index) => [option, files[index] ?? ""]);
    const end = await runInProcess("verify", "chat", server.api, "--account", account, ...written);
    expect(end.code).toBe(1);
    const texts = [end.stdout, end.stderr, ...files.map((file) => readFileSync(file, "utf8"))];
    expect(texts[0]).toContain(email);
    for (const text of texts) for (const spelling of spellingsOf(key)) expect(text).not.toContain(spelling);
    expect(texts[2]).toContain("*** is the key of the account of member");
  });

  it.each([
    [["--account", "open-sesame"], /An account is not EMAIL:KEY/],
    [["--acc=me@real.example:open-sesame"], /unknown option '--acc=…'/],
    [["--account", account, "--account", "king=k@real.example:open-sesame"], /unknown caller/],
    [["--account", account, "--states", "http://127.0.0.1:1/states"], /either provider states or accounts/],
    [["--account", account, "--header", "open-sesame"], /not of the form 'Name: value'/],
  ])("rejects %j without showing a key", async (args, message) => {
    const server = await startServer(() => refused);
    const end = await runInProcess("verify", "chat", server.api, ...args);
    expect(end).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(end.stderr).not.toContain("sesame");
  });

  it("rejects an account whose key the server rejects", async () => {
    const server = await startServer(() => refused);
    const end = await runInProcess("verify", "chat", server.api, "--account", "me@real.example:wrong-sesame");
    expect(end).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("answers 401 to the account of member. Correct its email or key"),
    });
    expect(end.stderr).not.toContain("sesame");
  });

  it.each(["accepts everything", "accepts nothing"])("only reads on a server that %s", async (what) => {
    const isLax = what === "accepts everything";
    const server = await startStubChat(({ url }) => ({
      status: isLax || url === "/api/v1/server_settings" ? 200 : 400,
      body: isLax ? settings : { ...settings, result: "error", code: "BAD_REQUEST" },
    }));
    await runInProcess("verify", "chat", `${server.url}/api/v1`, "--account", account);
    const writes = server.seen.filter(({ method = "" }) => !["GET", "HEAD", "OPTIONS"].includes(method));
    expect(server.seen.length).toBeGreaterThan(20);
    expect(writes).toEqual([]);
  });

  it("is PARTIAL, with exit code 0, or 3 with --min-exercised", async () => {
    const server = await createChatReference({ states: true });
    onTestFinished(server.close);
    const setUp = await fetch(`${server.url}/states`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ state: "channel", params: { name: "Denmark", subscribers: ["member"] }, action: "setup" }),
    });
    const { credentials } = (await setUp.json()) as { credentials: Record<string, { email: string; api_key: string }> };
    const { email: address = "", api_key: own = "" } = credentials.member ?? {};
    const api = `${server.url}/api/v1`;
    process.env.ACCORD_ACCOUNT = `${address}:${own}`;
    const end = await runInProcess("verify", "chat", api);
    expect(end).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^PARTIAL {2}\d+ rules kept, none broken/m),
    });
    expect(end.stdout).toContain("it needs an account of administrator: give --account administrator=EMAIL:KEY");
    const strict = await runInProcess("verify", "chat", api, "--min-exercised", "30");
    expect(strict).toMatchObject({ code: 3, stdout: expect.stringMatching(/--min-exercised\s+demands\s+30\s+%/) });
    expect(strict.stdout).toMatch(/^PARTIAL /m);
    const writing = await runInProcess("verify", "chat", api, "--allow-writes");
    expect(writing).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^writes: POST \/tus by member, 8 times$/m),
    });
  });

  it("reads accounts from a file, and sends headers with every request, masked if they look like credentials", async () => {
    const file = join(folder, "accounts");
    writeFileSync(file, `# mine\n${account}\n`);
    const seen: unknown[] = [];
    const server = await startServer(() => ({ status: 500, body: "gate-sesame" }));
    const headers = ["--header", "X-Tenant: acme", "--header", "X-Gate-Key: gate-sesame"];
    const json = join(folder, "headers.json");
    await runInProcess("verify", "chat", server.api, "--account", `@${file}`, ...headers, "--json", json);
    seen.push(...server.seen.filter(({ headers: sent }) => sent["x-gate-key"] !== "gate-sesame"));
    expect(seen).toEqual([]);
    const report = readFileSync(json, "utf8");
    expect(report).toContain("X-Tenant: acme");
    expect(report).not.toContain("gate-sesame");
  });
});
