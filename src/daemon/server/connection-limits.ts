/** How much time clients have, in milliseconds, and how many may be there. */
export interface ConnectionLimits {
  /** From the connection to the end of the headers of its first request, or to the settings of HTTP/2. */
  readonly headersMs: number;
  /** From the headers of a request to its end. */
  readonly requestMs: number;
  /** Without a request under way. */
  readonly idleMs: number;
  /** Connections that are open at the same time; more are closed at once. */
  readonly connections: number;
}

export const usualLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 300_000,
  connections: 1_000,
};
