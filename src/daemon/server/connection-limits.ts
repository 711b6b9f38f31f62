import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";

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

/** Ends a session of HTTP/2 whose client does not say how it speaks, or has no request for long; and streams that do not get on. */
export function limitSession(session: ServerHttp2Session, limits: ConnectionLimits): void {
  const deadline = createDeadline();
  let open = 0;

  function awaitStreams(): void {
    // Frames other than those of a stream do not count.
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

/** A time by which something has to be done. */
export interface Deadline {
  /** Sets it to so many milliseconds from now, instead of what was set before. */
  readonly set: (milliseconds: number, passed: () => void) => void;
  readonly clear: () => void;
}

/** Makes a deadline that is not set yet. It does not keep the process alive. */
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
