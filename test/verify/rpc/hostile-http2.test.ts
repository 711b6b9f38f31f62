import { describe, expect, it } from "vitest";
import { createCall } from "../../../src/verify/rpc/create-call.js";
import {
  type FrameAnswer,
  fields,
  frame,
  frameTypes,
  grpcType,
  numbers,
  startFrameServer,
} from "../../support/http2-frames.js";
import { targetAt } from "./example-daemon.js";

const { data, headers, rst, settings, pushPromise, ping, goAway } = frameTypes;
const [endStream, endHeaders] = [1, 4];
const preview = "ProxySubscriptions/PreviewImport";
const empty = Buffer.alloc(5);

/** A correct response with an empty message. */
const success = (stream: number) => [
  frame(headers, endHeaders, stream, fields([":status", "200"], grpcType)),
  frame(data, 0, stream, empty),
  frame(headers, endHeaders | endStream, stream, fields(["grpc-status", "0"])),
];
const pushed = (stream: number) =>
  frame(
    pushPromise,
    endHeaders,
    stream,
    Buffer.concat([
      numbers(stream + 1),
      fields([":method", "GET"], [":scheme", "http"], [":authority", "x"], [":path", "/"]),
    ]),
  );
const refused = (stream: number) => frame(rst, 0, stream, numbers(7));

async function callTo(answer: (stream: number, nth: number) => FrameAnswer, timeoutMs = 20_000, closes = true) {
  const target = targetAt(await startFrameServer(answer, closes));
  return () => createCall({ ...target, timeoutMs })(preview, {});
}

describe("a call over HTTP/2", () => {
  it.each<[string, (stream: number) => FrameAnswer, string]>([
    [
      "DATA on stream 0",
      () => [frame(data, 0, 0, empty)],
      "the server broke HTTP/2: PROTOCOL_ERROR, DATA: stream_id == 0",
    ],
    ["SETTINGS of 5 bytes", () => [frame(settings, 0, 0, empty)], "the server broke HTTP/2: FRAME_SIZE_ERROR"],
    ["a PING of 3 bytes", () => [frame(ping, 0, 0, Buffer.alloc(3))], "the server broke HTTP/2: FRAME_SIZE_ERROR"],
    [
      "a frame that is too large",
      (stream) => [frame(data, 0, stream, Buffer.alloc(20_000))],
      "the server broke HTTP/2: FRAME_SIZE_ERROR, too large frame size",
    ],
    [
      "a frame that is too large within the response",
      (stream) => [...success(stream).slice(0, 1), frame(data, 0, stream, Buffer.alloc(20_000))],
      "the server broke HTTP/2: FRAME_SIZE_ERROR, too large frame size",
    ],
    [
      "bad HPACK",
      (stream) => [frame(headers, endHeaders, stream, Buffer.alloc(5, 0xff))],
      "the server broke HTTP/2: COMPRESSION_ERROR",
    ],
    [
      "a reset stream",
      (stream) => [frame(rst, 0, stream, numbers(8))],
      "the server reset the call with the HTTP/2 code CANCEL",
    ],
    [
      "a stream that ends without a response",
      (stream) => [frame(rst, 0, stream, numbers(0))],
      "the server ended the call without a response",
    ],
    [
      "a stream that is always refused",
      (stream) => [refused(stream)],
      "the server refused the call with the HTTP/2 code REFUSED_STREAM, 3 times in a row",
    ],
    [
      "a GOAWAY below every stream",
      () => [frame(goAway, 0, 0, numbers(0, 0))],
      "the server refused the call with the HTTP/2 code REFUSED_STREAM, 3 times in a row",
    ],
    [
      "a GOAWAY with an error",
      (stream) => [frame(goAway, 0, 0, numbers(stream, 2))],
      "the server closed the connection with the HTTP/2 code INTERNAL_ERROR",
    ],
    [
      "a response that the end of the connection cuts off",
      (stream) => ({ frames: success(stream).slice(0, 2), end: true }),
      "the server closed the connection",
    ],
  ])("fails with a sentence after %s", async (_, answer, text) => {
    const call = await callTo(answer);

    expect(await call()).toMatchObject({ kind: "malformed", text });
    expect(await call()).toMatchObject({ kind: "malformed", text });
  });

  it.each<[string, (stream: number, nth: number) => FrameAnswer]>([
    [
      "a pushed response before it",
      (stream) => [
        pushed(stream),
        frame(headers, endHeaders, stream + 1, fields([":status", "200"])),
        ...success(stream),
      ],
    ],
    [
      "a broken push before it",
      (stream) => [pushed(stream), frame(rst, 0, stream + 1, numbers(1)), ...success(stream)],
    ],
    ["a GOAWAY before it", (stream) => [frame(goAway, 0, 0, numbers(stream, 0)), ...success(stream)]],
    ["a GOAWAY after it", (stream) => [...success(stream), frame(goAway, 0, 0, numbers(stream, 0))]],
    [
      "a GOAWAY and the end of the connection after it",
      (stream) => ({ frames: [...success(stream), frame(goAway, 0, 0, numbers(stream, 0))], end: true }),
    ],
    ["a refusal of its first attempt", (stream, nth) => (nth === 1 ? [refused(stream)] : success(stream))],
    [
      "a GOAWAY below its first attempt",
      (stream, nth) => (nth === 1 ? [frame(goAway, 0, 0, numbers(0, 1))] : success(stream)),
    ],
  ])("succeeds if the response has %s", async (_, answer) => {
    const call = await callTo(answer);

    expect(await call()).toMatchObject({ kind: "reply" });
    expect(await call()).toMatchObject({ kind: "reply" });
  });

  it("fails with a sentence at the latest after junk that follows a response", async () => {
    const call = await callTo((stream) => [...success(stream), Buffer.from("junk, which is no frame")]);

    // The junk may arrive when the connection already has the next call.
    for (const answer of [await call(), await call(), await call()])
      if (answer.kind !== "reply") expect(answer).toMatchObject({ text: expect.stringContaining("broke HTTP/2") });
  });

  it.each<[string, (stream: number) => FrameAnswer]>([
    ["answers one call of each connection", (stream) => [...success(stream), frame(goAway, 0, 0, numbers(1, 0))]],
    ["sends a higher GOAWAY with each call", (stream) => [...success(stream), frame(goAway, 0, 0, numbers(stream, 0))]],
    [
      "sends a higher GOAWAY before each answer",
      (stream) => [frame(goAway, 0, 0, numbers(stream, 0)), ...success(stream)],
    ],
  ])("succeeds if a server %s, however many overlap", async (_, answer) => {
    const call = await callTo(answer);

    const answers = await Promise.all(Array.from({ length: 16 }, call));
    expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => "reply"));
  });

  it.each<[string, (stream: number) => FrameAnswer]>([
    ["nothing", () => []],
    ["a GOAWAY", (stream) => [frame(goAway, 0, 0, numbers(stream, 0))]],
    [
      "a response without an end",
      (stream) => [frame(headers, endHeaders, stream, fields([":status", "200"], grpcType))],
    ],
  ])("ends at its time limit if the server sends %s", async (_, answer) => {
    const call = await callTo(answer, 200, false);

    expect(await call()).toEqual({ kind: "timeout", afterMs: 200 });
  });
});
