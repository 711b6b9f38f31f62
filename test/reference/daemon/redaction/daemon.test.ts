import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DaemonProtocol } from "../../../../src/daemon/index.js";
import { temporaryFolder } from "../../../support/reference-process.js";
import { contentFailures, fetchFailures } from "./failure-modes.js";
import { findLeaks } from "./find-leaks.js";
import { type RawAnswer, rawCall, type UrlRpc } from "./raw-call.js";
import { startPortDaemon } from "./start-port-daemon.js";
import { unusableUrls, urlShapes } from "./url-shapes.js";

const rpcs: readonly UrlRpc[] = ["PreviewImport", "ApplyImport"];
const protocols: readonly DaemonProtocol[] = ["grpc", "connect", "grpc-web"];
/** Number of concurrent calls, so that the timeouts of silent hosts overlap. */
const callsAtOnce = 12;
const timeoutMs = 300_000;
const shortTimeoutMs = 200;

/** Combines every shape of URL with every failure, through both RPCs. */
const cells = rpcs.flatMap((rpc) =>
  [...fetchFailures, ...contentFailures].flatMap((failure) => urlShapes.map((shape) => ({ rpc, shape, failure }))),
);

async function inParallel<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const rest = [...items.entries()];
  const worker = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: callsAtOnce }, worker));
}

/** Names and contents of all files in a folder, except the database. */
function filesIn(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.db(-wal|-shm)?$/.test(entry.name));
  return [
    ...entries.map(({ name }) => name),
    ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")),
  ].join("\n");
}

it("shows no secret of any URL in any response, log or file, whatever fails", async () => {
  using folder = temporaryFolder();
  const data = folder.inside("data");
  mkdirSync(data);
  const daemon = await startPortDaemon(folder.path, "--allow-private", "--data", data);
  const wrong: unknown[] = [];
  const check = (name: string, { code, message, everything }: RawAnswer, want: string, secrets: readonly string[]) => {
    const leaks = findLeaks(everything, secrets);
    const shown = code === "ok" ? code : message;
    if (shown !== want || leaks.length > 0) wrong.push({ name, code, shown, want, leaks });
  };
  await inParallel(cells, async ({ rpc, shape, failure }, index) => {
    const origin = await failure.start(shape);
    const protocol = protocols[index % protocols.length] ?? "grpc";
    const isSlow = failure.message?.endsWith("in time");
    const limit = isSlow ? shortTimeoutMs : timeoutMs;
    const answer = await rawCall(daemon.address, protocol, rpc, shape.at(origin), limit);
    const message = isSlow ? "The deadline of the call has passed" : `${failure.message} (${origin})`;
    const want = failure.message === undefined ? "ok" : message;
    check(`${rpc}, ${protocol}, ${shape.name}, ${failure.name}`, answer, want, shape.secrets);
  });
  for (const { name, at, secrets } of unusableUrls) {
    for (const [index, rpc] of rpcs.entries()) {
      const answer = await rawCall(daemon.address, protocols[index] ?? "grpc", rpc, at(""), timeoutMs);
      check(name, answer, /^url is [a-z ]+$/i.test(answer.message) ? answer.message : "url is …", secrets);
    }
  }
  expect(wrong).toEqual([]);

  const files = filesIn(folder.path);
  const written = await daemon.stop();
  const secrets = [...urlShapes, ...unusableUrls].flatMap((shape) => shape.secrets);
  expect(findLeaks(written, secrets)).toEqual([]);
  expect(findLeaks(files + filesIn(folder.path), secrets)).toEqual([]);
  // The log must have a line for each call.
  const lines = written.split("\n");
  for (const rpc of rpcs) {
    const calls = cells.filter((cell) => cell.rpc === rpc).length + unusableUrls.length;
    expect(lines.filter((line) => line.includes(rpc)).length).toBeGreaterThanOrEqual(calls);
  }
});

it("shows no secret when it rejects non-public addresses", async () => {
  using folder = temporaryFolder();
  const daemon = await startPortDaemon(folder.path);
  for (const { at, secrets } of urlShapes) {
    const origin = "http://127.0.0.1:1";
    const { everything, ...answer } = await rawCall(daemon.address, "grpc", "PreviewImport", at(origin), timeoutMs);
    const message = `The address of the host is not public (${origin})`;
    expect(answer).toEqual({ code: "invalid_argument", message });
    expect(findLeaks(everything, secrets)).toEqual([]);
  }
  const written = await daemon.stop();
  expect(written).toContain("PreviewImport");
  expect(
    findLeaks(
      written,
      urlShapes.flatMap((shape) => shape.secrets),
    ),
  ).toEqual([]);
});
