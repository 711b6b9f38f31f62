import type { CallerCredentials } from "../../../../src/verify/chat/states/states-client.js";
import { basicAuth } from "./basic-auth.js";

/** Calls of a tus client, each to any server. */
export interface TusCalls {
  /** Resolves to the location of a new upload. */
  readonly create: (server: string, length: number) => Promise<string>;
  readonly patch: (server: string, location: string, offset: number, bytes: Buffer) => Promise<Response>;
  readonly offset: (server: string, location: string) => Promise<number>;
  /** The bytes of an attachment. */
  readonly content: (server: string, url: string) => Promise<Buffer>;
}

/** Creates the calls of one user. */
export function createTusCalls(credentials: CallerCredentials): TusCalls {
  const common = { ...basicAuth(credentials), "Tus-Resumable": "1.0.0", Connection: "close" };
  async function expectStatus(status: number, answer: Response): Promise<Response> {
    if (answer.status !== status) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }
  return {
    create: async (server, length) => {
      const headers = { ...common, "Upload-Length": String(length) };
      const answer = await fetch(`${server}/api/v1/tus`, { method: "POST", headers });
      return (await expectStatus(201, answer)).headers.get("Location") ?? "";
    },
    patch: (server, location, offset, bytes) =>
      fetch(server + location, {
        method: "PATCH",
        headers: { ...common, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
        body: new Uint8Array(bytes),
      }),
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
