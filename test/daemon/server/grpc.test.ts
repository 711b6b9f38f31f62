import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import {
  type DaemonCall,
  ProxySubscriptionImportRequestSchema,
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptionSelectRequestSchema,
  ProxySubscriptionSelectResponseSchema,
} from "../../../src/daemon/index.js";
import {
  failing,
  framed,
  framedMessage,
  messageIn,
  rawCall,
  rawSession,
  selectRequest as request,
  statusOf,
} from "./raw-grpc.js";
import { serve, stopLater, urlOf } from "./serve.js";

describe("a plain gRPC call", () => {
  it("can have a message of exactly 4 MiB", async () => {
    const url = "x".repeat(4 * 1024 * 1024 - 5);
    const server = await serve({}, { previewImport: ({ url: { length } }) => ({ compatibleCount: length }) });
    const message = framedMessage(ProxySubscriptionImportRequestSchema, { url });
    const path = "/proxydaemon.v1.ProxySubscriptions/PreviewImport";
    const { body } = await rawCall(rawSession(server), { ":path": path }, [message]);
    expect(message.length - 5).toBe(4 * 1024 * 1024);
    expect(messageIn(ProxySubscriptionPreviewResponseSchema, body).compatibleCount).toBe(url.length);
  });
});

describe("a call with invalid gRPC framing", () => {
  const oneMessage = "The request is not exactly one message in a known compression";
  const notValid = "The request is not a valid ProxySubscriptionSelectRequest";
  const tooLarge = "The request is larger than 4 MiB";
  const table: readonly (readonly [what: string, chunks: readonly Buffer[], code: Code, message: string])[] = [
    ["no message", [], Code.Unimplemented, oneMessage],
    ["two messages", [request, request], Code.Unimplemented, oneMessage],
    ["a byte too many", [request, Buffer.from("s")], Code.InvalidArgument, notValid],
    ["half a prefix", [request.subarray(0, 3)], Code.InvalidArgument, notValid],
    ["half a message", [request.subarray(0, -1)], Code.InvalidArgument, notValid],
    ["the flag of compression", [framed(Buffer.from("s3cret"), 1)], Code.InvalidArgument, notValid],
    ["an unknown flag", [framed(Buffer.from("s3cret"), 0x80)], Code.InvalidArgument, notValid],
    ["the announcement of 4 GiB", [framed(Buffer.from("s3cret"), 0, 0xffffffff)], Code.ResourceExhausted, tooLarge],
    ["a field of another type", [framed(Buffer.from("0a0673336372657400", "hex"))], Code.InvalidArgument, notValid],
  ];
  it.each(table)("is rejected if it has %s", async (_, chunks, code, message) => {
    const calls: DaemonCall[] = [];
    const server = await serve({ onCall: (call) => calls.push(call) }, failing(new Error("must not be reached")));
    const answer = await rawCall(rawSession(server), {}, chunks);
    expect(statusOf(answer)).toEqual({ status: String(code), message });
    expect(answer.body).toHaveLength(0);
    expect(calls).toHaveLength(1);
  });

  it("is rejected before it has arrived completely", async () => {
    const session = rawSession(await serve());
    for (const chunks of [[Buffer.concat([request, request])], [framed(Buffer.alloc(10), 0, 2 ** 30)]]) {
      const answer = await rawCall(session, {}, chunks, { halfOpen: true });
      expect(Number(statusOf(answer).status)).toBeGreaterThan(0);
      expect(answer.resetCode).toBe(0);
    }
    expect(statusOf(await rawCall(session, {}, [request])).status).toBe("0");
  });
});

describe("a call other than a plain gRPC call", () => {
  const zipped = { "grpc-encoding": "gzip" };
  it.each([
    ["an unknown path", { ":path": "/proxydaemon.v1.ProxySubscriptions/Other" }, { ":status": 404 }],
    ["another method", { ":method": "PUT" }, { ":status": 405 }],
    ["another content type", { "content-type": "text/plain" }, { ":status": 415 }],
    ["no content type", { "content-type": undefined }, { ":status": 415 }],
    ["the origin of a web page", { origin: "https://evil.example" }, { ":status": 403 }],
    [
      "the origin of a local web page",
      { origin: "http://localhost:5173" },
      { ":status": 200, "access-control-allow-origin": "http://localhost:5173" },
    ],
    ["compression", zipped, { ":status": 200 }],
    ["an invalid host", { ":authority": "]" }, { ":status": 400 }],
  ])("gets the response of Connect with %s", async (_, headers, want) => {
    const session = rawSession(await serve());
    const answer = await rawCall(session, headers, [request]);
    expect(answer.headers).toMatchObject(want);
    expect(statusOf(await rawCall(session, {}, [request])).status).toBe("0");
  });
});

describe("a client of another gRPC library", () => {
  it("receives details, metadata and deadlines", async () => {
    const server = await serve(
      {},
      {
        selectNode: ({ id }) => {
          if (id === 1) throw new ConnectError("one", Code.NotFound, { "x-why": "because" });
          return id === 2 ? new Promise(() => {}) : { id };
        },
      },
    );
    const client = new Client(urlOf(server).host, credentials.createInsecure());
    stopLater(() => client.close());
    const select = (id: number, deadlineMs = 300_000) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          "/proxydaemon.v1.ProxySubscriptions/SelectNode",
          (init: { id: number }) =>
            Buffer.from(
              toBinary(ProxySubscriptionSelectRequestSchema, create(ProxySubscriptionSelectRequestSchema, init)),
            ),
          (bytes) => fromBinary(ProxySubscriptionSelectResponseSchema, bytes),
          { id },
          new Metadata(),
          { deadline: Date.now() + deadlineMs },
          (error: ServiceError | null, reply) => (error === null ? resolve(reply) : reject(error)),
        );
      });
    expect(await select(7)).toMatchObject({ id: 7 });
    const refused = await select(1).catch((error: ServiceError) => error);
    expect(refused).toMatchObject({ code: status.NOT_FOUND, details: "one" });
    expect((refused as ServiceError).metadata.get("x-why")).toEqual(["because"]);
    await expect(select(2, 100)).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
  });
});
