import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listenOn } from "./listen-on.js";

/** The types of frames (RFC 9113, section 6). */
export const frameTypes = { data: 0, headers: 1, rst: 3, settings: 4, pushPromise: 5, ping: 6, goAway: 7 } as const;

/** A frame of HTTP/2. */
export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const prefix = Buffer.alloc(9);
  prefix.writeUIntBE(payload.length, 0, 3);
  prefix.writeUInt8(type, 3);
  prefix.writeUInt8(flags, 4);
  prefix.writeUInt32BE(stream, 5);
  return Buffer.concat([prefix, payload]);
}

/** Header fields as literals without indexing (RFC 7541, section 6.2.2). */
export function fields(...pairs: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    pairs.flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name, "latin1"),
      Buffer.from([value.length]),
      Buffer.from(value, "latin1"),
    ]),
  );
}

/** Numbers of 32 bits, as in the payloads of RST_STREAM and GOAWAY. */
export function numbers(...all: readonly number[]): Buffer {
  return Buffer.concat(all.map((one) => Buffer.from([one >>> 24, (one >>> 16) & 255, (one >>> 8) & 255, one & 255])));
}

export const grpcType = ["content-type", "application/grpc"] as const;

/** What to do with a request: frames to send, and whether to close the connection then. */
export type FrameAnswer = readonly Buffer[] | { readonly frames: readonly Buffer[]; readonly end: true };

/**
 * Starts an HTTP/2 server that answers each request by `answer`, for the rest of the test.
 * Unless `closes` is false, it closes a connection when the client asks for it. `sockets` are its open connections.
 * `nth` counts the requests, from 1. Returns its URL.
 */
export async function startFrameServer(
  answer: (stream: number, nth: number) => FrameAnswer,
  closes = true,
  sockets = new Set<Socket>(),
): Promise<string> {
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.write(frame(frameTypes.settings, 0, 0, Buffer.alloc(0)));
    let received = Buffer.alloc(0);
    let at = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length;
    socket.on("data", (piece) => {
      received = Buffer.concat([received, piece]);
      while (received.length >= at + 9) {
        const length = received.readUIntBE(at, 3);
        if (received.length < at + 9 + length) return;
        const [type, flags, stream] = [received[at + 3], received[at + 4] ?? 0, received.readUInt32BE(at + 5)];
        at += 9 + length;
        if (type === frameTypes.settings && (flags & 1) === 0)
          socket.write(frame(frameTypes.settings, 1, 0, Buffer.alloc(0)));
        if (type === frameTypes.goAway && closes) socket.end();
        if (type !== frameTypes.headers) continue;
        const given = answer(stream, ++requests);
        for (const one of "end" in given ? given.frames : given) socket.write(one);
        if ("end" in given) socket.end();
      }
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await listenOn(server)}`;
}
