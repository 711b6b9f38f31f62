import { Agent, createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import { pipeline } from "node:stream/promises";
import { operations } from "../../../generated/chat/operations.js";
import { type Listening, listen } from "../../../src/base/listen.js";
import { createRouter } from "../../../src/server/rest/match-route.js";
import { type Behaviour, handles, statesPath } from "./behaviour.js";
import { createKnownOrganizations } from "./known-organizations.js";
import type { Header, WireRequest, WireResponse } from "./wire.js";

/** A running proxy. */
export interface FaultProxy extends Listening {
  /** The provider states of the upstream server. Behaviours know their results. */
  readonly statesUrl: string;
  /** Errors that the behaviour threw. A request for which it throws gets no response. */
  readonly failures: readonly unknown[];
}

const prefix = "/api/v1";

/** Maximum size of a body that a behaviour receives. */
const maxBytes = 64 * 1024 * 1024;

/** Headers of one connection, which a proxy does not forward (RFC 9110, section 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set(["connection", "keep-alive", "upgrade"]);

/** The limit of the reference server: 5000 ids fit into a query string. */
const maxHeaderSize = 128 * 1024;

/** Longer than a verification on a busy machine leaves a connection idle. */
const keepAliveMs = 60_000;

const findOperation = createRouter(operations);

/**
 * Starts a proxy with a behaviour on a free port. Requests that the behaviour does not handle pass byte for byte, with unchanged header
 * names.
 */
export async function startFaultProxy(upstream: string, behaviour: Behaviour): Promise<FaultProxy> {
  const known = createKnownOrganizations();
  const { on } = behaviour;
  const handle = behaviour.start(known);
  const failures: unknown[] = [];
  // The server may close an idle connection just when the proxy reuses it.
  const agent = new Agent({ keepAlive: false, maxSockets: 32 });
  const server = createServer({ maxHeaderSize, requireHostHeader: false }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = keepAliveMs;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    outgoing.sendDate = false;
    const { method = "GET", url: target = "/" } = incoming;
    if (target === statesPath) return passStates(incoming, outgoing);
    const call = callOf(method, target);
    const isHandled = on === "all" || (target.startsWith(prefix) && on.some((one) => one === call.operationId));
    if (!isHandled) return pass(incoming, outgoing);
    const headers = pairs(incoming.rawHeaders);
    const request = { method, target, ...call, headers, body: await readAll(incoming) };
    await write(outgoing, await handleOrFail(request), method === "HEAD");
  }

  async function handleOrFail(request: WireRequest): Promise<WireResponse> {
    try {
      return await handle(request, forward);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  /** Streams a request and its response unchanged. */
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const sent = open(incoming.method, incoming.url, pairs(incoming.rawHeaders));
    const answered = answerOf(sent);
    // A server may respond before it has read the body, and close the connection.
    pipeline(incoming, sent).catch(() => incoming.resume());
    const answer = await answered;
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, flat(pairs(answer.rawHeaders)));
    await pipeline(answer, outgoing);
  }

  async function passStates(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const headers = pairs(incoming.rawHeaders);
    const request = { ...bare, method: incoming.method ?? "POST", target: statesPath, headers, body };
    const answer = handles(behaviour, request) ? await handleOrFail(request) : await forward(request);
    if (answer.status === 200) known.learn(body, answer.body);
    await write(outgoing, answer, false);
  }

  async function forward({ method, target, headers, body }: WireRequest): Promise<WireResponse> {
    const sent = open(method, target, withLength(headers, body.length, body.length > 0));
    const answered = answerOf(sent);
    sent.end(body);
    const answer = await answered;
    const { statusCode: status = 502, rawHeaders } = answer;
    return { status, headers: pairs(rawHeaders), body: await readAll(answer) };
  }

  function open(method: string | undefined, target: string | undefined, headers: readonly Header[]) {
    const { hostname, port } = new URL(upstream);
    return sendRequest({
      ...{ agent, hostname, port, setHost: false },
      method,
      path: target,
      headers: flat(headers),
    });
  }

  const listening = await listen(server);
  return {
    url: listening.url,
    statesUrl: `${listening.url}/states`,
    failures,
    close: () => listening.close().finally(() => agent.destroy()),
  };
}

const bare = { operationId: undefined, path: {} };

function callOf(method: string, target: string): Pick<WireRequest, "operationId" | "path"> {
  const path = target.split("?", 1)[0] ?? "";
  const match = path.startsWith(prefix) ? findOperation(method, path.slice(prefix.length)) : undefined;
  return match?.kind === "found" ? { operationId: match.operationId, path: match.path } : bare;
}

/** Resolves to the response; rejects if there is none. */
function answerOf(sent: ReturnType<typeof sendRequest>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
}

async function write(outgoing: ServerResponse, answer: WireResponse, isHead: boolean): Promise<void> {
  const { status, headers, body, pieces, close = false } = answer;
  if (close) outgoing.shouldKeepAlive = false;
  if (isHead) return void outgoing.writeHead(status, flat(headers)).end();
  if (pieces === undefined) return void outgoing.writeHead(status, flat(withLength(headers, body.length))).end(body);
  outgoing.writeHead(status, flat(headers.filter((header) => !isLength(header))));
  for (let start = 0; start < body.length; start += pieces) {
    outgoing.write(body.subarray(start, start + pieces));
    await new Promise(setImmediate);
  }
  outgoing.end();
}

/** Returns headers for a body that is sent at once, with the right `Content-Length` if they have or need one. */
function withLength(headers: readonly Header[], length: number, isNeeded = false): Header[] {
  const whole = headers.filter(([name]) => !/^transfer-encoding$/i.test(name));
  const set = whole.map((header): Header => (isLength(header) ? [header[0], String(length)] : header));
  return isNeeded && !set.some(isLength) ? [...set, ["Content-Length", String(length)]] : set;
}

function isLength([name]: Header): boolean {
  return /^content-length$/i.test(name);
}

function pairs(raw: readonly string[]): Header[] {
  return raw.flatMap((name, i): Header[] => (i % 2 === 0 ? [[name, raw[i + 1] ?? ""]] : []));
}

function flat(headers: readonly Header[]): string[] {
  return headers.filter(([name]) => !ofConnection.has(name.toLowerCase())).flat();
}

async function readAll(from: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of from) {
    length += piece.length;
    if (length > maxBytes) throw new Error(`The body has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
