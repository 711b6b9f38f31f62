import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { ConnectionLimits } from "./connection-limits.js";
import { createDeadline } from "./deadline.js";

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
