import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyRecord } from "./capture-body.js";
import { headersByName, type RawHeaders } from "./forwarded-headers.js";
import type { Interception } from "./interception.js";
import type { RecordedExchange, RecordedMessage } from "./traffic.js";

/** An HTTP/1.1 request on its way through the forwarder. */
export interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hasBody: boolean;
  readonly sent: BodyRecord;
  readonly received: BodyRecord;
  readonly startedAt: number;
  interception: Interception | undefined;
  /** The head of the response. */
  answer?: { readonly status: number; readonly rawHeaders: RawHeaders } | undefined;
  interruption?: string;
  malformed?: string;
  /** Whether the response was too large for the change of the interception. */
  isTooLargeToChange?: boolean;
}

/** Returns the record of an exchange that has ended. */
export function toExchange(passage: Passage): RecordedExchange {
  const { request, sent, received, startedAt, answer, interruption, malformed, interception } = passage;
  const provoked = interception?.provoked() ?? [];
  return {
    startedAt,
    endedAt: Date.now(),
    connection: connectionOf(request.socket),
    request: Object.assign(messageOf(request.rawHeaders, sent, request.complete), {
      method: request.method ?? "GET",
      target: request.url ?? "/",
    }),
    ...(answer === undefined
      ? {}
      : { response: Object.assign(messageOf(answer.rawHeaders, received), { status: answer.status }) }),
    ...(interruption === undefined ? {} : { interruption }),
    ...(malformed === undefined ? {} : { malformed }),
    ...(provoked.length === 0 ? {} : { provoked }),
    ...(passage.isTooLargeToChange === true ? { unchanged: true } : {}),
  };
}

/**
 * Collects the headers when they are first read, which is when the exchange is judged. Until then it keeps them as one text, because the
 * garbage collector, which requests wait for, takes longer to copy an array of many short ones.
 */
function messageOf(raw: RawHeaders, record: BodyRecord, isWhole = true): RecordedMessage {
  const text = raw.join("\n");
  let headers: Readonly<Record<string, string>> | undefined;
  return {
    get headers() {
      headers ??= headersByName(text.split("\n"));
      return headers;
    },
    // A server may respond before it has read the request.
    body: isWhole ? record.content() : undefined,
    bodyBytes: record.bytes(),
  };
}

/** Numbers of the connections of clients. */
const connections = new WeakMap<object, number>();
let connectionCount = 0;

function connectionOf(socket: object): number {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  connections.set(socket, ++connectionCount);
  return connectionCount;
}
