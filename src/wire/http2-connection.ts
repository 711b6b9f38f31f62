import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { UnexpectedTlsError } from "./tls-probe.js";

/** Connects to a server, unless the signal aborts. */
export type OpenSocket = (signal: AbortSignal) => Promise<Socket>;

/** A connection over HTTP/2, and what is known of the server at its other end. */
export interface Http2Connection {
  readonly session: ClientHttp2Session;
  /** Whether the server has shown that it speaks HTTP/2. */
  readonly isHttp2: () => boolean;
  /** Whether the server has closed the connection. */
  readonly hasEnded: () => boolean;
  /** What the server said when it closed the connection: an error code, and the last stream that it processed (RFC 9113, section 6.8). */
  readonly goAway: () => GoAway | undefined;
  /** Lets the process end although the connection is open, or not. */
  readonly keepAlive: (isNeeded: boolean) => void;
}

/** A GOAWAY frame. Streams above the last one were not processed. */
export interface GoAway {
  readonly code: number;
  readonly lastStreamId: number;
}

/** The server sent something that HTTP/2 forbids. The message continues a sentence about the server. */
export class Http2ViolationError extends Error {
  override readonly name = "Http2ViolationError";
}

/** The names of error codes (RFC 9113, section 7). */
const errorCodes = [
  ...["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED"],
  ...["FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM"],
  ...["INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"],
];

/** Names an error code of HTTP/2. */
export function errorCodeName(code: number): string {
  return errorCodes[code] ?? `0x${code.toString(16)}`;
}

/**
 * Opens a connection over HTTP/2 on a socket. Its errors reach the streams, and never the process. Pushed streams are refused.
 *
 * If a server violates HTTP/2, Node tells the server and nobody else: its requests would stay pending for ever. Therefore, the bytes pass
 * through a stream that notices what Node tells the server, and ends the connection with an `Http2ViolationError`.
 */
export function openHttp2Connection(origin: string, open: OpenSocket): Http2Connection {
  let isHttp2 = false;
  let hasEnded = false;
  let goAway: GoAway | undefined;
  let socket: Socket | undefined;
  let isNeeded = true;
  const violations = createViolationWatch();
  const first: Buffer[] = [];
  const stop = new AbortController();
  const passage = new Duplex({
    read: () => void socket?.resume(),
    write: (piece: Buffer, _, done) => {
      const told = violations(piece);
      const written = (error: Error | null | undefined) => {
        done(error);
        if (told !== undefined && !session.destroyed) passage.destroy(violationOf(told, Buffer.concat(first)));
      };
      opening.then((opened) => opened.write(piece, written), done);
    },
    final: (done) => void opening.then((opened) => opened.end(done), done),
    destroy: (error, done) => {
      stop.abort();
      socket?.destroy();
      done(error);
    },
  });
  const opening = open(stop.signal);
  opening.then(
    (opened) => {
      socket = opened;
      if (passage.destroyed) return void opened.destroy();
      if (!isNeeded) opened.unref();
      opened.setNoDelay(true);
      opened.on("data", (piece) => {
        if (first.length < 2) first.push(piece);
        if (!passage.push(piece)) opened.pause();
      });
      opened.once("end", () => {
        hasEnded = true;
        passage.push(null);
      });
      opened.once("error", (error) => passage.destroy(error));
      opened.once("close", () => {
        hasEnded = true;
        passage.destroy();
      });
    },
    (error) => passage.destroy(error),
  );
  const session = connectHttp2(origin, { createConnection: () => passage });
  // Each stream reports the error to its caller.
  session.on("error", () => {});
  session.once("remoteSettings", () => {
    isHttp2 = true;
  });
  session.on("goaway", (code, lastStreamId) => {
    goAway = { code, lastStreamId };
  });
  session.on("stream", (pushed) => {
    pushed.on("error", () => {});
    pushed.close();
  });
  return {
    session,
    isHttp2: () => isHttp2,
    hasEnded: () => hasEnded,
    goAway: () => goAway,
    keepAlive: (given) => {
      isNeeded = given;
      if (given) socket?.ref();
      else socket?.unref();
    },
  };
}

/** The error of a server whose connection Node ended for this reason. */
function violationOf(reason: string, first: Buffer): Error {
  return isTlsRecord(first) ? new UnexpectedTlsError() : new Http2ViolationError(reason);
}

/** Whether bytes begin with an alert or a handshake of TLS (RFC 8446, section 5.1). */
function isTlsRecord(bytes: Buffer): boolean {
  return (bytes[0] === 21 || bytes[0] === 22) && bytes[1] === 3;
}

const frameHeadLength = 9;
const goAwayType = 7;
const prefaceLength = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length;
/** Longer debug data of Node does not exist. */
const maxGoAwayBytes = 256;

/** Reads what a client sends, and returns how it describes a violation of the server once it does so in a GOAWAY frame. */
function createViolationWatch(): (piece: Buffer) => string | undefined {
  let toSkip = prefaceLength;
  let kept = Buffer.alloc(0);
  return (piece) => {
    let told: string | undefined;
    for (let rest = piece; rest.length > 0 || kept.length >= frameHeadLength; ) {
      if (toSkip > 0) {
        const skipped = Math.min(toSkip, rest.length);
        toSkip -= skipped;
        rest = rest.subarray(skipped);
        if (rest.length === 0) break;
      }
      kept = Buffer.concat([kept, rest]);
      rest = Buffer.alloc(0);
      if (kept.length < frameHeadLength) break;
      const length = kept.readUIntBE(0, 3);
      const end = frameHeadLength + length;
      if (kept[3] === goAwayType && length <= maxGoAwayBytes) {
        if (kept.length < end) break;
        told ??= describeGoAway(kept.subarray(frameHeadLength, end));
      }
      toSkip = Math.max(end - kept.length, 0);
      rest = kept.subarray(Math.min(end, kept.length));
      kept = Buffer.alloc(0);
    }
    return told;
  };
}

function describeGoAway(payload: Buffer): string | undefined {
  const code = payload.readUInt32BE(4);
  if (code === 0) return undefined;
  const detail = payload.toString("latin1", 8);
  return `broke HTTP/2: ${errorCodeName(code)}${detail === "" ? "" : `, ${detail}`}`;
}
