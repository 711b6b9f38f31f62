import { connect, createServer, type Http2Stream } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { listenOn } from "../../support/listen-on.js";
import { findingsOf, path, startProxy } from "./start-proxy.js";

const mebibyte = 1024 * 1024;
/** The prefix of a message of 4 GiB. */
const endless = Buffer.from([0, 255, 255, 255, 255]);

/** Sends a message without end, as fast as the peer takes it. Returns how many bytes it has handed over. */
function sendEndlessly(stream: Http2Stream & { write: (bytes: Buffer) => boolean }): () => number {
  const piece = Buffer.alloc(64 * 1024);
  let sent = 0;
  const send = () => {
    if (stream.destroyed) return;
    sent += piece.length;
    if (stream.write(piece)) setImmediate(send);
    else stream.once("drain", send);
  };
  stream.write(endless);
  send();
  return () => sent;
}

async function startDaemon(answer: (stream: Parameters<typeof sendEndlessly>[0]) => void): Promise<string> {
  const server = createServer();
  server.on("sessionError", () => {});
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    const head = { ":status": 200, "content-type": "application/grpc" };
    stream.respond(head, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    answer(stream);
  });
  const port = await listenOn(server);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

function callOf(url: string) {
  const session = connect(url);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => {});
  return { session, stream };
}

/** What the report says of calls that were not judged. */
async function notJudged(report: () => Promise<unknown>): Promise<string> {
  return JSON.stringify(await report());
}

it("holds little of an endless response that the client does not read, and says that it was not judged", async () => {
  let sent = () => 0;
  const { url, report } = await startProxy(
    await startDaemon((stream) => {
      sent = sendEndlessly(stream);
    }),
  );
  const { session, stream } = callOf(url);
  stream.end(Buffer.alloc(5));
  await sleep(1_000);
  expect(sent()).toBeGreaterThan(0);
  expect(sent()).toBeLessThan(16 * mebibyte);
  session.destroy();
  await expect.poll(() => notJudged(report)).toContain("no whole response: the client");
});

it("holds little of an endless request that the daemon does not read, and says that it was not judged", async () => {
  const { url, report } = await startProxy(await startDaemon((stream) => void stream.pause()));
  const { session, stream } = callOf(url);
  const sent = sendEndlessly(stream);
  await sleep(1_000);
  expect(sent()).toBeGreaterThan(0);
  expect(sent()).toBeLessThan(16 * mebibyte);
  session.destroy();
  await expect.poll(() => notJudged(report)).toContain("it is too large, or the server did not read it as a whole");
});

it("passes on a message that is too large to judge, and says so", async () => {
  const size = 12 * mebibyte;
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(size, 1);
  const { url, report } = await startProxy(
    await startDaemon((stream) => void stream.end(Buffer.concat([prefix, Buffer.alloc(size)]))),
  );
  const { session, stream } = callOf(url);
  let got = 0;
  stream.on("data", (piece: Buffer) => {
    got += piece.length;
  });
  stream.end(Buffer.alloc(5));
  await new Promise((resolve) => stream.once("close", resolve));
  session.close();
  expect(got).toBe(size + 5);
  await expect.poll(() => notJudged(report)).toContain("a response that is too large");
});

it("reads only the first of a million messages in one response", async () => {
  const { url, report } = await startProxy(
    await startDaemon((stream) => void stream.end(Buffer.alloc(4 * mebibyte - 4))),
  );
  const { session, stream } = callOf(url);
  stream.resume().end(Buffer.alloc(5));
  await new Promise((resolve) => stream.once("close", resolve));
  session.close();
  await expect
    .poll(async () => JSON.stringify(findingsOf(await report())))
    .toContain("expected one message, got more than 16");
});
