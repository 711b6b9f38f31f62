import type { EventEmitter } from "node:events";
import {
  headersByName,
  type RawHeaders,
  type RecordedExchange,
  type RecordedMessage,
} from "../recorded/recorded-exchange.js";
import type { BodyRecord } from "./bodies.js";
import type { ClientRequest, ClientResponse } from "./client-side.js";
import type { Head, ServerResponse } from "./server-side.js";

/** How a proxy treats a request that it does not forward unchanged. */
export interface Interception {
  /** The names of the applied changes, once the exchange has ended. */
  readonly provoked: () => readonly string[];
  /** How long the request waits before it is treated, in milliseconds. Defaults to 0. */
  readonly delayMs?: number;
  /** The response that the proxy gives in place of the server's. */
  readonly answer?: OwnAnswer;
  /** Changes the server's response if it is JSON. */
  readonly change?: ChangeAnswer;
  /** Another server to which the request goes, with another path and one more header. */
  readonly elsewhere?: { readonly origin: string; readonly path: string; readonly header: readonly [string, string] };
}

/** A response of the proxy itself. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Returns the text to send in place of the body of a response. Undefined if the body is too large to change. */
export type ChangeAnswer = (status: number, text: string) => string | undefined;

/** A request on its way through the forwarder. */
export interface Passage {
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  readonly hasBody: boolean;
  readonly sent: BodyRecord;
  readonly received: BodyRecord;
  readonly startedAt: number;
  interception?: Interception;
  /** The head of the response. */
  head?: Head;
  /** The response of the server. */
  answer?: ServerResponse;
  /** Stops sending the body of the request. */
  stop: () => void;
  /** Called when the whole response has been sent. */
  readonly answered: () => void;
  /** Whether the whole request has arrived. */
  isReceived: boolean;
  /** Whether the whole response was sent. */
  isAnswered: boolean;
  isReported: boolean;
  interruption?: string;
  malformed?: string;
  /** Whether the response was too large for the change of the interception. */
  isTooLargeToChange?: boolean;
}

/** Returns the record of an exchange that has ended. */
export function toExchange(passage: Passage): RecordedExchange {
  const { request, sent, received, startedAt, head, answer, isReceived, interruption, malformed } = passage;
  const provoked = passage.interception?.provoked() ?? [];
  return {
    startedAt,
    endedAt: Date.now(),
    connection: numberOf(connectionOf(passage)),
    request: Object.assign(messageOf(request.rawHeaders, sent, request.rawTrailers, isReceived), {
      method: request.method ?? "GET",
      target: request.url ?? "/",
    }),
    ...(head === undefined
      ? {}
      : {
          response: Object.assign(messageOf(head.headers, received, answer?.trailers() ?? []), {
            status: head.status,
          }),
        }),
    interruption,
    malformed,
    ...(provoked.length === 0 ? {} : { provoked }),
    ...(passage.isTooLargeToChange === true ? { unchanged: true } : {}),
  };
}

/** Collects the headers when they are first read, which is when the exchange is judged: requests wait meanwhile. */
function messageOf(raw: RawHeaders, record: BodyRecord, trailers: RawHeaders, isWhole = true): RecordedMessage {
  let headers: Readonly<Record<string, string>> | undefined;
  return {
    get headers() {
      headers ??= headersByName(raw);
      return headers;
    },
    // A server may respond before it has read the request.
    body: isWhole ? record.content() : undefined,
    bodyBytes: record.bytes(),
    ...(trailers.length === 0 ? {} : { trailers: headersByName(trailers) }),
  };
}

/** The connection of the client. */
export function connectionOf({ request }: Passage): EventEmitter {
  return "stream" in request ? (request.stream.session ?? request.stream) : request.socket;
}

/** Numbers of the connections of clients. */
const connections = new WeakMap<object, number>();
let connectionCount = 0;

function numberOf(connection: object): number {
  const number = connections.get(connection) ?? ++connectionCount;
  connections.set(connection, number);
  return number;
}
