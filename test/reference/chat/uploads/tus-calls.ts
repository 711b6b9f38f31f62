import { type ClientRequest, request } from "node:http";
import type { CallerCredentials } from "../../../../src/chat/contract.js";
import { basicAuth } from "./basic-auth.js";

/** A part of an upload of which only the first bytes are sent. */
export interface BegunPart {
  readonly offset: number;
  readonly total: number;
  readonly sent: Buffer;
}

/** Calls of a tus client, each to any server. */
export interface TusCalls {
  /** Resolves to the location of a new upload. */
  readonly create: (server: string, length: number, headers?: Readonly<Record<string, string>>) => Promise<string>;
  readonly patch: (server: string, location: string, offset: number, bytes: Buffer) => Promise<Response>;
  /** Sends the first bytes of a part of `total` bytes, and no more. */
  readonly beginPatch: (server: string, location: string, part: BegunPart) => ClientRequest;
  readonly offset: (server: string, location: string) => Promise<number>;
  /** The bytes of an attachment. */
  readonly content: (server: string, url: string) => Promise<Buffer>;
}

const bytesType = "application/offset+octet-stream";

/** Creates the calls of one user. */
export function createTusCalls(credentials: CallerCredentials): TusCalls {
  const common = { ...basicAuth(credentials), "Tus-Resumable": "1.0.0", Connection: "close" };
  async function expectStatus(status: number, answer: Response): Promise<Response> {
    if (answer.status !== status) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
  return {
    create: async (server, length, others = {}) => {
      const headers = { ...common, ...others, "Upload-Length": String(length) };
      const answer = await fetch(`${server}/api/v1/tus`, { method: "POST", headers });
      return (await expectStatus(201, answer)).headers.get("Location") ?? "";
    },
    patch: (server, location, offset, bytes) =>
      fetch(server + location, {
        method: "PATCH",
        headers: { ...common, "Content-Type": bytesType, "Upload-Offset": String(offset) },
        body: new Uint8Array(bytes),
      }),
    beginPatch: (server, location, { offset, total, sent }) => {
      const bytesHeaders = { "Content-Type": bytesType, "Upload-Offset": offset, "Content-Length": total };
      const headers = { ...common, ...bytesHeaders };
      const outgoing = request(new URL(location, server), { method: "PATCH", headers });
      outgoing.on("error", () => {});
      outgoing.write(sent);
      return outgoing;
    },
    offset: async (server, location) => {
      const answer = await fetch(server + location, { method: "HEAD", headers: common });
      return Number((await expectStatus(200, answer)).headers.get("Upload-Offset"));
    },
    content: async (server, url) => {
      const answer = await fetch(server + url, { headers: common });
      return Buffer.from(await (await expectStatus(200, answer)).arrayBuffer());
    },
  };
}
