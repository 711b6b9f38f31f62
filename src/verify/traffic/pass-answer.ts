import type { IncomingMessage, ServerResponse } from "node:http";
import { endToEndHeaders } from "./forwarded-headers.js";
import { MalformedAnswerError } from "./forwarding-errors.js";
import type { ChangeAnswer } from "./interception.js";
import type { Passage } from "./passage.js";
import { stream } from "./stream-body.js";

/** How to pass on a response. */
export interface PassOptions {
  /** The scheme, host and port of the server. */
  readonly origin: string;
  /** The largest response that is changed. */
  readonly maxBytes: number;
  /** Called with each piece of the body. */
  readonly onProgress: () => void;
  /** Runs a step of the exchange, which alone ends if the step throws. */
  readonly guarded: (step: () => void) => void;
}

/** Passes on the server's response, changed if the interception changes it and the response is JSON of at most `maxBytes`. */
export function passAnswer(passage: Passage, incoming: IncomingMessage, options: PassOptions): void {
  const { response } = passage;
  passage.answer = { status: incoming.statusCode ?? 502, rawHeaders: incoming.rawHeaders };
  const cut = () => {
    passage.interruption ??= "the server broke off its response";
    response.destroy();
  };
  incoming.once("error", cut);
  incoming.once("aborted", cut);
  if (response.destroyed) return void incoming.destroy();
  options.guarded(() => {
    const change = changeOf(passage, incoming);
    if (change === undefined) streamAnswer(passage, incoming, options);
    else changeAnswer(passage, incoming, { ...options, change });
  });
}

/** Writes the head of the server's response. Throws a `MalformedAnswerError` if no valid response has such a head. */
function writeHead(
  response: ServerResponse,
  { statusCode = 0, statusMessage }: IncomingMessage,
  headers: string[],
): void {
  if (statusCode < 200)
    throw new MalformedAnswerError(`sent status ${String(statusCode).padStart(3, "0")}, which no final response has`);
  try {
    response.writeHead(statusCode, statusMessage, headers);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedAnswerError(`sent a response that cannot be passed on: ${reason}`);
  }
}

function streamAnswer(passage: Passage, incoming: IncomingMessage, { origin, onProgress }: PassOptions): void {
  const { request, response, received } = passage;
  const { statusCode, headers: given } = incoming;
  const hasBody = request.method !== "HEAD" && statusCode !== 204 && statusCode !== 304;
  const isChunked = given["transfer-encoding"] !== undefined && request.httpVersion === "1.1" && hasBody;
  response.sendDate = false;
  const headers = endToEndHeaders(incoming.rawHeaders, (name, value) =>
    name === "trailer" && !isChunked ? undefined : ownUrl(name, value, { request, origin }),
  );
  writeHead(response, incoming, headers);
  stream(incoming, response, { record: received, onProgress });
}

/** The change to a response, if that is readable JSON. */
function changeOf({ interception, request }: Passage, incoming: IncomingMessage): ChangeAnswer | undefined {
  if (interception?.change === undefined || request.method === "HEAD") return undefined;
  const { "content-type": type = "", "content-encoding": encoding } = incoming.headers;
  return /^application\/json\b/i.test(type) && encoding === undefined ? interception.change : undefined;
}

/** Reads a response up to a limit, and sends the result of `change`. */
function changeAnswer(
  passage: Passage,
  incoming: IncomingMessage,
  options: PassOptions & { readonly change: ChangeAnswer },
): void {
  const { origin, maxBytes, onProgress, guarded, change } = options;
  const { request, response, received } = passage;
  const pieces: Buffer[] = [];
  let bytes = 0;
  const collect = (piece: Buffer) => {
    onProgress();
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= maxBytes) return;
    incoming.off("data", collect).off("end", end);
    passage.isTooLargeToChange = true;
    guarded(() => {
      streamAnswer(passage, incoming, options);
      for (const one of pieces) {
        received.add(one);
        response.write(one);
      }
    });
  };
  const end = () => guarded(finish);
  const finish = () => {
    const status = incoming.statusCode ?? 502;
    const original = Buffer.concat(pieces);
    const text = original.toString("utf8");
    const changed = tryChange(change, status, text);
    passage.isTooLargeToChange = changed === undefined;
    // An unchanged body is sent as received, because it may not be valid UTF-8.
    const isSame = changed === undefined || changed === text;
    const body = isSame ? original : Buffer.from(changed);
    received.add(body);
    const headers = endToEndHeaders(incoming.rawHeaders, (name, value) =>
      name === "trailer" || (!isSame && aboutBytes.has(name)) ? undefined : ownUrl(name, value, { request, origin }),
    );
    // Some statuses have no body, and must not have a Content-Length.
    const isCounted = isSame && (incoming.headers["content-length"] !== undefined || original.length === 0);
    response.sendDate = false;
    writeHead(response, incoming, isCounted ? headers : [...headers, "Content-Length", String(body.length)]);
    response.end(body);
  };
  incoming.on("data", collect).once("end", end);
}

/** The headers that describe the bytes of a body, and do not apply to a changed one. */
const aboutBytes: ReadonlySet<string> = new Set([
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

/** Replaces the server's origin in a redirect with that of the proxy, so that the client keeps calling the proxy. */
function ownUrl(
  name: string,
  value: string,
  { request, origin }: { readonly request: IncomingMessage; readonly origin: string },
): string {
  if (name !== "location" && name !== "content-location") return value;
  const { host } = request.headers;
  if (host === undefined || !value.startsWith(`${origin}/`)) return value;
  return `http://${host}${value.slice(origin.length)}`;
}
