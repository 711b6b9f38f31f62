import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatSamples } from "../../../site/samples/chat-samples.js";
import { sampleOrigin, toSampleRequest } from "../../../site/samples/sample-request.js";
import { loadCases } from "../../../src/chat/contract.js";
import type { Case } from "../../../src/contract/rest/cases.js";
import { needing } from "../../support/needing.js";
import { useOwnTemporaryFolder } from "../../support/own-temporary-folder.js";
import { sampleOf } from "../../support/thorough.js";
import { type Recorded, startRecordingServer } from "./recording-server.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);
const cases = await loadCases();
/** `curl` starts a process for each case, so by default only every eighth case uses it. */
const someCases = sampleOf(cases, 8);

/** The samples of all cases in one language, sent to a server of their own. */
async function samplesFor(
  language: string,
  called: readonly Case[] = cases,
): Promise<{ readonly url: string; readonly recorded: readonly Recorded[]; readonly codes: readonly string[] }> {
  const server = await startRecordingServer();
  onTestFinished(server.close);
  const codes = await Promise.all(
    called.map(async (one) => (await chatSamples(one)).find((sample) => sample.language === language)?.code ?? ""),
  );
  const host = new URL(server.url).host;
  return {
    ...server,
    codes: codes.map((code) => code.replaceAll(sampleOrigin, server.url).replaceAll(new URL(sampleOrigin).host, host)),
  };
}

/** Expects that a server received the requests of all cases, in order. */
async function expectCases(recorded: readonly Recorded[], called: readonly Case[] = cases): Promise<void> {
  expect(recorded.length).toBe(called.length);
  const wanted = await Promise.all(called.map(async (one) => [nameOf(one), await asSent(one)] as const));
  const got = await Promise.all(
    recorded.map(async (one, index) => [nameOf(called[index] as Case), await asReceived(one)] as const),
  );
  expect(Object.fromEntries(got)).toEqual(Object.fromEntries(wanted));
}

function nameOf({ operationId, name }: Case): string {
  return `${operationId} ${name}`;
}

async function asSent(one: Case): Promise<object> {
  const { sent, header } = await toSampleRequest(one);
  const { "Content-Type": type, Authorization: authorization } = sent.headers;
  return {
    method: sent.method,
    ...targetOf(sent.url.slice(sampleOrigin.length)),
    authorization,
    header: Object.fromEntries(header),
    body: await fieldsOf(type, sent.bytes),
  };
}

async function asReceived({ method, target, authorization, type, body, headers }: Recorded): Promise<object> {
  const names = ["Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Defer-Length"];
  const header = names.flatMap((name) =>
    headers[name.toLowerCase()] === undefined ? [] : [[name, headers[name.toLowerCase()]]],
  );
  return {
    method,
    ...targetOf(target),
    authorization,
    header: Object.fromEntries(header),
    body: await fieldsOf(type, body),
  };
}

function targetOf(target: string): object {
  const [path, query = ""] = target.split("?");
  return { path, query: [...new URLSearchParams(query)].map(([name, value]) => [name, canonical(value)]) };
}

/** JSON without white space; any other text unchanged. */
function canonical(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

async function fieldsOf(type: string | undefined, body: Buffer): Promise<unknown[]> {
  if (body.length === 0) return [];
  const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type ?? "" } }).formData();
  // The order of fields has no meaning.
  const entries = [...form].sort(([a], [b]) => a.localeCompare(b));
  return Promise.all(
    entries.map(async ([name, value]) =>
      typeof value === "string" ? [name, canonical(value)] : [name, value.name, value.type, await value.text()],
    ),
  );
}

describe("the samples of the cases", () => {
  needing("bash", "curl").it("send the request of the case with curl", async () => {
    const { codes, recorded } = await samplesFor("curl", someCases);
    await run("bash", ["-euc", codes.map((code) => code.replaceAll("curl ", "curl -sS ")).join("\n")]);
    await expectCases(recorded, someCases);
  });

  needing("python3-requests").it("send the request of the case with Python", async () => {
    const { codes, recorded } = await samplesFor("python");
    const file = join(useOwnTemporaryFolder().path, "samples.py");
    writeFileSync(file, codes.join("\n"));
    await run("/usr/bin/python3", [file]);
    await expectCases(recorded);
  });

  it("send the request of the case with the TypeScript client", async () => {
    const { codes, recorded } = await samplesFor("typescript");
    const file = join(useOwnTemporaryFolder().path, "samples.mjs");
    const functions = codes.map((code) => `async () => {\n${code.replace(/^import .*$/m, "")}\n}`);
    const contents = `import { createChatClient } from "${root}src/chat/index.ts";\nconst console = { log: () => {} };\nfor (const call of [${functions.join(",\n")}]) await call();`;
    await build({
      stdin: { contents, loader: "ts", resolveDir: root },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: file,
      logLevel: "error",
    });
    await run(process.execPath, [file]);
    await expectCases(recorded);
  });
});
