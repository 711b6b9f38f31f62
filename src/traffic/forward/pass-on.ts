import type { Writable } from "node:stream";
import { headersByName, pairsOf, type RawHeaders } from "../recorded/recorded-exchange.js";
import { pump } from "./bodies.js";
import { endWith, sendHead } from "./client-side.js";
import { ForwardingError } from "./errors.js";
import type { ChangeAnswer, Passage } from "./passage.js";
import type { Head, ServerResponse } from "./server-side.js";

/** How to pass on a response. */
export interface PassOptions {
  /** The scheme, host and port of the server. */
  readonly origin: string;
  /** The largest response that is changed. */
  readonly maxBytes: number;
  /** Runs a step of the exchange, which alone ends if the step throws. */
  readonly guarded: (step: () => void) => void;
}

/** Passes on the server's response, changed if the interception changes it and the response is JSON of at most `maxBytes`. */
export function passOn(passage: Passage, answer: ServerResponse, options: PassOptions): void {
  const { interception, request } = passage;
  const { "content-type": type = "", "content-encoding": encoding } = headersByName(answer.headers);
  const isReadable = /^application\/json\b/i.test(type) && encoding === undefined && request.method !== "HEAD";
  if (interception?.change === undefined || !isReadable || answer.isWhole)
    return void streamAnswer(passage, answer, options);
  changeAnswer(passage, answer, interception.change, options);
}

function streamAnswer(passage: Passage, answer: ServerResponse, options: PassOptions, begun: readonly Buffer[] = []) {
  const { response, received } = passage;
  const sink: Writable = response;
  respond(passage, answer, options.origin, answer.isWhole);
  if (answer.isWhole) return void passage.answered();
  for (const piece of begun) {
    received.add(piece);
    sink.write(piece);
  }
  pump(answer.body, sink, received, () => endWith(response, answer.trailers()));
}

/** Reads a response up to a limit, and sends the result of `change`. */
function changeAnswer(passage: Passage, answer: ServerResponse, change: ChangeAnswer, options: PassOptions): void {
  const { response, received } = passage;
  const { body, headers, status } = answer;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const collect = (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= options.maxBytes) return;
    body.off("data", collect).off("end", end);
    passage.isTooLargeToChange = true;
    options.guarded(() => streamAnswer(passage, answer, options, pieces));
  };
  const end = () => options.guarded(finish);
  const finish = () => {
    const original = Buffer.concat(pieces);
    const text = original.toString("utf8");
    const changed = tryChange(change, status, text);
    passage.isTooLargeToChange = changed === undefined;
    // An unchanged body is sent as received, because it may not be valid UTF-8.
    const isSame = changed === undefined || changed === text;
    const sent = isSame ? original : Buffer.from(changed);
    received.add(sent);
    const kept = pairsOf(headers).filter(([name]) => !(isSame ? ofTrailers : aboutBytes).has(name.toLowerCase()));
    // Some statuses have no body, and must not have a Content-Length.
    const isCounted = isSame && (original.length === 0 || kept.some(([name]) => /^content-length$/i.test(name)));
    const head = [...kept.flat(), ...(isCounted ? [] : ["Content-Length", String(sent.length)])];
    respond(passage, { ...answer, headers: head }, options.origin, false);
    response.end(sent);
  };
  body.on("data", collect).once("end", end);
}

const ofTrailers: ReadonlySet<string> = new Set(["trailer", "transfer-encoding"]);
/** The headers that describe the bytes of a body, and do not apply to a changed one. */
const aboutBytes: ReadonlySet<string> = new Set([
  ...ofTrailers,
  "content-length",
  "etag",
  "content-md5",
  "digest",
  "content-digest",
  "repr-digest",
]);

/** Changes a text. Undefined if it is too large, or nested too deeply. */
function tryChange(change: ChangeAnswer, status: number, text: string): string | undefined {
  try {
    return change(status, text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Sends the head of the server's response. Throws a `ForwardingError` if no valid response has such a head. */
function respond({ request, response }: Passage, head: Head, origin: string, isWhole: boolean): void {
  const { status, headers } = head;
  if (status < 200) {
    const text = `sent status ${String(status).padStart(3, "0")}, which no final response has`;
    throw new ForwardingError("malformed", text);
  }
  try {
    sendHead(request, response, { ...head, headers: withOwnUrls(headers, origin, request.headers.host) }, isWhole);
  } catch (error) {
    throw new ForwardingError("malformed", `sent a response that cannot be passed on: ${(error as Error).message}`);
  }
}

/** Replaces the server's origin in a redirect with that of the proxy, so that the client keeps calling the proxy. */
function withOwnUrls(headers: RawHeaders, origin: string, host: string | undefined): RawHeaders {
  return headers.map((value, at) => {
    const isLocation = at % 2 === 1 && /^(?:content-)?location$/i.test(headers[at - 1] ?? "");
    if (!isLocation || host === undefined || !value.startsWith(`${origin}/`)) return value;
    return `http://${host}${value.slice(origin.length)}`;
  });
}
