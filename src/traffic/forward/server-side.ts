import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { RawHeaders } from "../recorded/recorded-exchange.js";

/** Bounds of a forwarder. */
export interface ForwarderLimits {
  /** The largest request body that is kept for judging. */
  readonly maxRequestBytes: number;
  /** The largest response body that is kept for judging. */
  readonly maxResponseBytes: number;
  /** All bodies that are kept at the same time. */
  readonly maxHeldBytes: number;
  /** How long the server may take to accept a connection. */
  readonly maxConnectMs: number;
  /** How long neither side may send anything once the server is connected. */
  readonly maxSilenceMs: number;
  /** Over HTTP/1.1; further requests wait. */
  readonly maxServerConnections: number;
}

/** The largest headers that are passed on: as large as any common server allows. */
export const maxHeaderBytes = 256 * 1024;

/** How many interim responses may come before the response. A server may send one now and then while it works. */
export const maxInterimResponses = 1_000;

const mebibyte = 1024 * 1024;

/** 1 MiB of each request, 8 MiB of each response and 256 MiB in total are kept. Ten seconds to connect, five minutes of silence. */
export const defaultForwarderLimits: ForwarderLimits = {
  maxRequestBytes: mebibyte,
  maxResponseBytes: 8 * mebibyte,
  maxHeldBytes: 256 * mebibyte,
  maxConnectMs: 10_000,
  maxSilenceMs: 300_000,
  maxServerConnections: 1024,
};

/** The head of a response. */
export interface Head {
  readonly status: number;
  /** The reason phrase. HTTP/2 has none. */
  readonly reason?: string;
  readonly headers: RawHeaders;
}

/** A request as the proxy sends it. */
export interface ForwardedRequest {
  readonly method: string;
  readonly path: string;
  /** The headers as the client sent them. Those of its connection and its host are not sent. */
  readonly headers: RawHeaders;
  readonly host: string;
  readonly via: string;
  readonly hasBody: boolean;
  /** The connection of the client. Over HTTP/2, each has its own to the server. */
  readonly connection: EventEmitter;
  /** Whether the client waits for `100 Continue`. */
  readonly expectsContinue: boolean;
}

/** A response that has arrived from the server. */
export interface ServerResponse extends Head {
  readonly body: Readable;
  readonly trailers: () => RawHeaders;
  /** Whether the head is the whole response. */
  readonly isWhole: boolean;
}

/** What happens to a request on its way to the server. */
export interface ServerEvents {
  readonly onInformation: (status: number, headers: NodeJS.Dict<string | string[]>) => void;
  readonly onResponse: (response: ServerResponse) => void;
  readonly onError: (error: Error) => void;
  /** The server broke off its response, with an error code of HTTP/2. */
  readonly onBroken: (code?: number) => void;
}

/** A request on its way to the server. */
export interface ServerSide {
  /** Takes the body of the request. */
  readonly sink: Writable;
  /** Calls a function when the server wants the body. */
  readonly whenReady: (begin: () => void) => void;
  /** Ends the request. */
  readonly end: (trailers: () => RawHeaders) => void;
  /** Stops it, with an error code of HTTP/2. */
  readonly cancel: (code?: number) => void;
}

/** Sends requests to one server over one version of HTTP. */
export interface Sender {
  readonly send: (request: ForwardedRequest, events: ServerEvents) => ServerSide;
  /** Closes the connections. */
  readonly close: () => void;
}

/** The server that requests are sent to. */
export interface ServerAddress {
  /** The scheme, host and port. */
  readonly origin: string;
  /** A Unix socket in place of host and port. */
  readonly socketPath?: string;
}
