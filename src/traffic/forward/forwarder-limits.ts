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
