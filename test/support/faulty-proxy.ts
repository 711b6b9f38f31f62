import { once } from "node:events";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "../../src/listen.js";

/** What a proxy changes about the answers of the server behind it. */
export interface Fault {
  /** Changes a body of the chat API. */
  readonly api?: (text: string) => string;
  /** The content type of the chat API. */
  readonly type?: string;
  /** The status of the chat API. */
  readonly status?: number;
  /** The chat API does not answer. */
  readonly hangs?: boolean;
  /** Changes the answer to a setup. */
  readonly state?: (text: string) => string;
  readonly stateStatus?: number;
}

/** A proxy that listens. */
export interface FaultyProxy {
  readonly url: string;
  /** Resolves with the first request to the chat API. */
  readonly asked: Promise<unknown>;
}

/** Stands before a chat server until the test is over. */
export async function startFaultyProxy(target: string, fault: Fault): Promise<FaultyProxy> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const isSetup = request.url === "/states";
    if (!isSetup) server.emit("asked");
    if (!isSetup && fault.hangs) return;
    const { authorization, "content-type": contentType } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(contentType === undefined ? {} : { "content-type": contentType }),
      },
      ...(request.method === "GET" ? {} : { body: Buffer.concat(pieces) }),
    });
    const change = (isSetup ? fault.state : fault.api) ?? ((text: string) => text);
    const status = (isSetup ? fault.stateStatus : fault.status) ?? answer.status;
    const type = (isSetup ? undefined : fault.type) ?? answer.headers.get("content-type") ?? "";
    response.writeHead(status, { "Content-Type": type }).end(change(await answer.text()));
  });
  const asked = once(server, "asked");
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, asked };
}
