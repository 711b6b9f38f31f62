import { once } from "node:events";
import { type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type FrameAnswer,
  fields,
  frame,
  frameTypes,
  grpcType,
  numbers,
  startFrameServer,
} from "../../support/http2-frames.js";
import { hostileFrames, malformedHeads, startRawServer } from "../forward/hostile-peers.js";
import { findingsOf, framed, path, post, select, startProxy, useReference } from "./start-proxy.js";

const reference = useReference();
const finding = `server ${select}: reply.protocol not HTTP`;

/** Opens a stream and sends one empty message. Resolves with its status once it has closed; 0 without a response. */
async function call(
  url: string,
  headers: OutgoingHttpHeaders = {},
  trailers: OutgoingHttpHeaders = {},
): Promise<number> {
  const session = connect(url);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  const stream: ClientHttp2Stream = session.request(
    { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers", ...headers },
    { waitForTrailers: true },
  );
  let status = 0;
  stream.once("response", (answer) => {
    status = Number(answer[":status"]);
  });
  stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  stream.on("error", () => {});
  stream.resume();
  stream.end(framed(new Uint8Array()));
  await once(stream, "close").catch(() => {});
  session.close();
  return status;
}

describe("proxyDaemon, between hostile peers", () => {
  it.each(malformedHeads)("reports a daemon that sends $name over HTTP/1.1", async ({ bytes }) => {
    const { url, report } = await startProxy(await startRawServer(bytes));
    const status = await post(url, "{}", { "content-type": "application/json" });

    expect(status).toBe(502);
    expect(Object.keys(findingsOf(await report()))).toContain(finding);
  });

  it.each(hostileFrames)("survives %s of a daemon over HTTP/2", async (_, frames, isMalformed) => {
    const { url, report } = await startProxy(await startFrameServer(frames));
    await call(url);
    await call(url);
    const findings = findingsOf(await report());

    expect(findings[finding] === undefined).toBe(!isMalformed);
    if (isMalformed) expect(findings[finding]).toMatch(/the response is not HTTP: the server (?:sent|broke)/);
  });

  const { headers, data, goAway } = frameTypes;
  const success = (stream: number) => [
    frame(headers, 4, stream, fields([":status", "200"], grpcType)),
    frame(data, 0, stream, framed(new Uint8Array())),
    frame(headers, 5, stream, fields(["grpc-status", "0"])),
  ];
  it.each<[string, (stream: number) => FrameAnswer]>([
    ["before each answer", (stream) => [frame(goAway, 0, 0, numbers(stream, 0)), ...success(stream)]],
    ["after each answer", (stream) => [...success(stream), frame(goAway, 0, 0, numbers(stream, 0))]],
    ["instead of each answer", (stream) => [frame(goAway, 0, 0, numbers(stream, 0))]],
  ])("leaves no connection to a daemon that sends GOAWAY %s and closes none itself", async (when, answer) => {
    const sockets = new Set<Socket>();
    const { url, close } = await startProxy(await startFrameServer(answer, false, sockets));
    const calls = Array.from({ length: 4 }, () => call(url));
    // A call that is never answered is pending when the proxy stops.
    if (when !== "instead of each answer") expect(await Promise.all(calls)).toEqual([200, 200, 200, 200]);
    await close();
    await Promise.all(calls);
    await Promise.all([...sockets].map((socket) => once(socket, "close")));

    expect(sockets.size).toBe(0);
  });

  it.each<[string, OutgoingHttpHeaders, OutgoingHttpHeaders]>([
    ["CONNECT", { ":method": "CONNECT", ":path": undefined, ":authority": "x" }, {}],
    ["an unusual method", { ":method": "M-SEARCH" }, {}],
    ["an odd path", { ":path": "*" }, {}],
    ["bytes above 127", { "x-a": "\xe9\xff" }, { "x-a": "\xe9\xff" }],
    ["several values", { cookie: ["a=1", "b=2"], "x-a": ["1", "2"] }, { "x-a": ["1", "2"] }],
  ])("survives %s of a client over HTTP/2", async (_, headers, trailers) => {
    const { url } = await startProxy(reference.address);
    await call(url, headers, trailers);

    expect(await call(url)).toBe(200);
  });
});
