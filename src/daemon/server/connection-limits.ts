import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";

/** Time limits of clients, in milliseconds, and the maximum number of connections. */
export interface ConnectionLimits {
  /** From the connection to the end of the first headers, or to the HTTP/2 settings. */
  readonly headersMs: number;
  /** From the headers of a request to its end. */
  readonly requestMs: number;
  /** Without a pending request. */
  readonly idleMs: number;
  /** Open connections; further ones are closed at once. */
  readonly connections: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 300_000,
  connections: 1_000,
};

/** Closes an HTTP/2 session that sends no settings or is idle for too long, and streams whose request takes too long. */
export function limitSession(session: ServerHttp2Session, limits: ConnectionLimits): void {
  const deadline = createDeadline();
  let open = 0;

  function awaitStreams(): void {
    // Frames without a stream, such as pings, do not count as activity.
    if (open === 0 && !session.closed) deadline.set(limits.idleMs, () => session.close());
  }

  deadline.set(limits.headersMs, () => session.destroy());
  session.once("remoteSettings", awaitStreams);
  session.once("close", deadline.clear);
  session.on("stream", (stream) => {
    open++;
    deadline.clear();
    limitRequest(stream, limits);
    stream.once("close", () => {
      open--;
      awaitStreams();
    });
  });
}

function limitRequest(stream: ServerHttp2Stream, { requestMs }: ConnectionLimits): void {
  const deadline = createDeadline();
  deadline.set(requestMs, () => stream.close(constants.NGHTTP2_CANCEL));
  stream.once("end", deadline.clear);
  stream.once("close", deadline.clear);
}

/** A timer that can be replaced. */
export interface Deadline {
  /** Starts the timer, and stops the previous one. */
  readonly set: (milliseconds: number, passed: () => void) => void;
  readonly clear: () => void;
}

/** Creates a deadline that is not set yet. Its timer does not keep the process alive. */
export function createDeadline(): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const clear = () => clearTimeout(timer);
  return {
    clear,
    set: (milliseconds, passed) => {
      clear();
      timer = setTimeout(passed, milliseconds).unref();
    },
  };
}
