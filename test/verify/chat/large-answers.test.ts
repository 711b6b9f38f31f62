import { execFileSync } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { responseValidators } from "../../../generated/chat/validators.js";
import { loadContract } from "../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../src/contract/chat/level/cases-at-level.js";
import { listen } from "../../../src/listen.js";
import { runDredd } from "../../../src/verify/chat/dredd/run-dredd.js";
import { readBytes } from "../../../src/verify/chat/exchange/call-http.js";
import { sendRequest } from "../../../src/verify/chat/exchange/send-request.js";
import { listWorkflows } from "../../../src/verify/chat/workflows/list-workflows.js";
import { runWorkflows } from "../../../src/verify/chat/workflows/run-workflows.js";
import { needing } from "../../support/needing.js";
import { sendEndlessBody } from "./endless-body.js";
import { stubState } from "./stub-chat.js";

const document = await loadContract();
const contract = atFeatureLevel(document, newestLevel);
const limits = { timeoutMs: 300_000, signal: new AbortController().signal };
const fault = "the answer is larger than 4 MiB";
const zeros = Buffer.alloc(100 * 1024 * 1024);
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipped = gzipSync(zeros);

const coded = (coding: string, content: Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": coding }).end(content);
const bombs: Readonly<Record<string, (response: ServerResponse) => void>> = {
  gzip: coded("gzip", gzipped),
  "gzip twice": coded("gzip, gzip", gzipSync(gzipped)),
  deflate: coded("deflate", deflateSync(zeros)),
  br: coded("br", brotliCompressSync(zeros, quick)),
  "identity, endless": sendEndlessBody,
};

/** Starts a server whose API answers with each of the bombs in turn. */
async function startBomb(names: readonly string[] = Object.keys(bombs)) {
  let count = 0;
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    if (request.url === "/states") return response.end(JSON.stringify(stubState({ stream_id: 9, message_id: 8 })));
    return bombs[names[count++ % names.length] ?? ""]?.(response);
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, statesUrl: `${url}/states` };
}

/** Samples the memory of all child processes together; the returned function gives the peak in MiB. */
function watchChildren(): () => number {
  let peak = 0;
  const look = () => {
    const lines = execFileSync("ps", ["-e", "-o", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n");
    const own = lines
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === process.pid);
    peak = Math.max(peak, own.reduce((sum, [, , rss = 0]) => sum + rss, 0) / 1024);
  };
  const timer = setInterval(look, 200);
  onTestFinished(() => clearInterval(timer));
  return () => peak;
}

describe("a response that is too large", () => {
  it.each(Object.keys(bombs))("has a fault with the coding %s", async (name) => {
    const { url } = await startBomb([name]);
    expect(await sendRequest({ method: "GET", url, headers: {} }, limits)).toMatchObject({ text: "", fault });
  });

  it("has a fault if only the sum of concurrent responses is too large", async () => {
    const results = await Promise.all(Array.from({ length: 40 }, () => readBytes(slowly(3))));
    const sum = "the answers that are read at the same time are larger than 64 MiB";
    expect(results.flatMap(({ fault }) => fault ?? [])).toContain(sum);
    expect((await readBytes(slowly(3))).bytes).toHaveLength(3 * 2 ** 20);
  });

  needing("ps").it("fails its case, and Dredd does not buffer it", async () => {
    const peak = watchChildren();
    const server = await startBomb(["identity, endless"]);
    const cases = casesAtLevel(document, newestLevel)
      .filter(({ given }) => given.length < 2)
      .slice(0, 16);
    const checks = await runDredd(cases, { ...server, contract, level: newestLevel, jobs: 1 });
    const sent = checks.filter(({ outcome }) => outcome.kind !== "errored");
    expect(sent.length).toBeGreaterThan(4);
    for (const { outcome } of sent) expect(outcome).toMatchObject({ kind: "failed", problems: [fault] });
    expect(peak()).toBeLessThan(700);
  });

  needing("ps").it("fails its workflow, and Respect does not buffer it", async () => {
    const peak = watchChildren();
    const server = await startBomb();
    const workflows = listWorkflows(document, contract).slice(0, 16);
    const checks = await runWorkflows(workflows, { ...server, contract, validators: responseValidators, jobs: 1 });
    const sent = checks.filter(({ outcome }) => outcome.kind !== "errored");
    expect(sent.length).toBeGreaterThan(8);
    const reported = new Set(
      sent.map(({ outcome }) => (outcome.kind === "failed" ? outcome.problems.join() : "passed")),
    );
    for (const problem of reported) expect(problem).toMatch(/: the answers? .*larger than (?:4 MiB|64 MiB together)$/);
    expect(peak()).toBeLessThan(700);
  });
});

/** Streams this many MiB, with a pause before each. */
async function* slowly(mebibytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < mebibytes; sent++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    yield new Uint8Array(2 ** 20);
  }
}
