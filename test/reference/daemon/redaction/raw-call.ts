import { request as http1Request } from "node:http";
import { connect } from "node:http2";
import { create, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import {
  ProxySubscriptionApplyRequestSchema,
  ProxySubscriptionImportRequestSchema,
} from "../../../../generated/daemon/proxydaemon/v1/proxy_subscriptions_pb.js";
import type { DaemonProtocol } from "../../../../src/daemon/index.js";

/** An RPC that takes the URL of a subscription. */
export type UrlRpc = "PreviewImport" | "ApplyImport";

/** The response of a daemon. */
export interface RawAnswer {
  /** Such as `unavailable`; `ok` if the call succeeded. */
  readonly code: string;
  readonly message: string;
  /** The whole response: headers, messages, details and trailers. Base64 is also included in decoded form. */
  readonly everything: string;
}

interface Exchanged {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly trailers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

const frameHead = 5;
const trailersFlag = 0x80;

/** Calls an RPC of a daemon at an address such as `http://127.0.0.1:4020`, and returns the response as received. */
export async function rawCall(
  address: string,
  protocol: DaemonProtocol,
  rpc: UrlRpc,
  url: string,
  timeoutMs: number,
): Promise<RawAnswer> {
  const path = `/proxydaemon.v1.ProxySubscriptions/${rpc}`;
  const { json, binary } = encode(rpc, url);
  if (protocol === "connect") {
    const headers = { "content-type": "application/json", "connect-timeout-ms": String(timeoutMs) };
    const answer = await overHttp1(address + path, headers, Buffer.from(JSON.stringify(json)));
    const { code = "ok", message = "" } = JSON.parse(answer.body.toString("utf8"));
    return { code, message, everything: allOf(answer) };
  }
  const deadline = { "grpc-timeout": `${timeoutMs}m` };
  if (protocol === "grpc") {
    const headers = { "content-type": "application/grpc+proto", te: "trailers", ...deadline };
    const answer = await overHttp2(address, path, headers, framed(binary));
    return { ...statusOf({ ...answer.headers, ...answer.trailers }), everything: allOf(answer) };
  }
  const headers = { "content-type": "application/grpc-web+proto", "x-grpc-web": "1", ...deadline };
  const answer = await overHttp1(address + path, headers, framed(binary));
  const trailers = webTrailers(answer.body);
  return { ...statusOf({ ...answer.headers, ...trailers }), everything: allOf({ ...answer, trailers }) };
}

function encode(rpc: UrlRpc, url: string): { json: JsonValue; binary: Uint8Array } {
  if (rpc === "PreviewImport") {
    const message = create(ProxySubscriptionImportRequestSchema, { url });
    const schema = ProxySubscriptionImportRequestSchema;
    return { json: toJson(schema, message), binary: toBinary(schema, message) };
  }
  const schema = ProxySubscriptionApplyRequestSchema;
  const message = create(schema, { url, name: "Northwind" });
  return { json: toJson(schema, message), binary: toBinary(schema, message) };
}

function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(frameHead);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function webTrailers(body: Buffer): Record<string, string> {
  for (let at = 0; at + frameHead <= body.length; at += frameHead + body.readUInt32BE(at + 1)) {
    if (((body[at] ?? 0) & trailersFlag) === 0) continue;
    const lines = body
      .subarray(at + frameHead)
      .toString("utf8")
      .trim()
      .split("\r\n");
    return Object.fromEntries(
      lines.map((line) => [line.split(":")[0]?.toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
  }
  return {};
}

function statusOf(trailers: Readonly<Record<string, unknown>>): Pick<RawAnswer, "code" | "message"> {
  const status = Number(trailers["grpc-status"]);
  const code = status === 0 ? "ok" : Code[status] === undefined ? `no status: ${status}` : codeToString(status);
  return { code, message: decodeURIComponent(String(trailers["grpc-message"] ?? "")) };
}

function allOf({ headers, trailers, body }: Exchanged): string {
  const metadata = JSON.stringify([headers, trailers]);
  const inBase64 = [metadata, body.toString("latin1")].flatMap((text) => text.match(/[\w+/-]{8,}/g) ?? []);
  const decoded = inBase64.map((text) => Buffer.from(text, "base64").toString("utf8"));
  return [metadata, body.toString("utf8"), body.toString("latin1"), ...decoded].join("\n");
}

function overHttp1(url: string, headers: Record<string, string>, body: Buffer): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const request = http1Request(url, { method: "POST", headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => {
        const { rawHeaders, headers: named, statusMessage, trailers } = response;
        resolve({ headers: { ...named, rawHeaders, statusMessage }, trailers, body: Buffer.concat(pieces) });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

function overHttp2(address: string, path: string, headers: Record<string, string>, body: Buffer): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const session = connect(address);
    session.on("error", reject);
    const stream = session.request({ ":method": "POST", ":path": path, ...headers });
    const pieces: Buffer[] = [];
    let answered: object = {};
    let trailers: object = {};
    stream.on("response", (given) => {
      answered = { ...given };
    });
    stream.on("trailers", (given) => {
      trailers = { ...given };
    });
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("error", reject);
    stream.on("end", () => {
      session.close();
      resolve({ headers: { ...answered }, trailers: { ...trailers }, body: Buffer.concat(pieces) });
    });
    stream.end(body);
  });
}
