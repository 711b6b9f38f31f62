import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { fields, frame, frameTypes, grpcType as grpc, numbers } from "../../support/http2-frames.js";
import { listenOn } from "../../support/listen-on.js";

const { data, headers, rst, pushPromise } = frameTypes;
const [endStream, endHeaders] = [1, 4];

const head = (...lines: readonly string[]) => `${lines.join("\r\n")}\r\n\r\n`;

/** A response that no proxy can pass on, and the end of the sentence that says why. */
export interface Malformed {
  readonly name: string;
  readonly bytes: string;
  readonly problem: string;
}

/** Heads that are not HTTP/1.1, or that Node refuses to write. Each character is one byte. */
export const malformedHeads: readonly Malformed[] = [
  { name: "status 000", bytes: head("HTTP/1.1 000 X", "Content-Length: 0"), problem: "status 000" },
  { name: "status 099", bytes: head("HTTP/1.1 099 X", "Content-Length: 0"), problem: "status 099" },
  { name: "status 101 unasked", bytes: head("HTTP/1.1 101 Switching"), problem: "status 101" },
  {
    name: "an upgrade unasked",
    bytes: head("HTTP/1.1 101 Switching", "Upgrade: h2c", "Connection: Upgrade"),
    problem: "status 101",
  },
  { name: "a status of four digits", bytes: head("HTTP/1.1 2000 X"), problem: "malformed" },
  {
    name: "a control character in the reason",
    bytes: head("HTTP/1.1 200 a\x01b", "Content-Length: 0"),
    problem: "statusMessage",
  },
  { name: "a control character in a value", bytes: head("HTTP/1.1 200 OK", "X-A: a\x01b"), problem: "malformed" },
  { name: "NUL in a value", bytes: head("HTTP/1.1 200 OK", "X-A: a\0b"), problem: "malformed" },
  { name: "a space in a name", bytes: head("HTTP/1.1 200 OK", "X A: b"), problem: "malformed" },
  { name: "a byte above 127 in a name", bytes: head("HTTP/1.1 200 OK", "X-\xe9: b"), problem: "malformed" },
  {
    name: "two lengths",
    bytes: head("HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2"),
    problem: "malformed",
  },
  { name: "a negative length", bytes: head("HTTP/1.1 200 OK", "Content-Length: -1"), problem: "malformed" },
  {
    name: "hints without end",
    bytes: head("HTTP/1.1 103 H").repeat(1_100),
    problem: "more than 1000 interim responses",
  },
  {
    name: "100 Continue without end",
    bytes: head("HTTP/1.1 100 C").repeat(1_100),
    problem: "more than 1000 interim responses",
  },
  { name: "HTTP/7.3", bytes: head("HTTP/7.3 200 OK"), problem: "malformed" },
];

/** Responses that a proxy passes on although they are odd, with their status. */
export const oddResponses: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ["status 999", head("HTTP/1.1 999 X", "Content-Length: 0"), 999],
  ["an empty reason", head("HTTP/1.1 200 ", "Content-Length: 0"), 200],
  ["bytes above 127 in the reason and a value", head("HTTP/1.1 200 \xff", "X-A: \xe9", "Content-Length: 0"), 200],
  ["Trailer without trailers", head("HTTP/1.1 200 OK", "Trailer: X-A", "Content-Length: 0"), 200],
  ["204 with Trailer and chunks", head("HTTP/1.1 204 No", "Trailer: X-A", "Transfer-Encoding: chunked"), 204],
  ["204 with a length and a body", `${head("HTTP/1.1 204 No", "Content-Length: 3")}abc`, 204],
  ["more bytes than its length", `${head("HTTP/1.1 200 OK", "Content-Length: 2")}okHTTP/1.1 000 X\r\n\r\n`, 200],
  [
    "102 and malformed hints first",
    head("HTTP/1.1 102 P") +
      head("HTTP/1.1 103 H", "Link: ,;<") +
      head("HTTP/1.1 103 H", "Content-Length: 7", "Link: <a>; rel=b") +
      head("HTTP/1.1 200 OK", "Content-Length: 0"),
    200,
  ],
  [
    "another 100 Continue",
    head("HTTP/1.1 100 C") + head("HTTP/1.1 199 X") + head("HTTP/1.1 200 OK", "Content-Length: 0"),
    200,
  ],
];

/** Responses whose body is not what their head says, and what the exchange says about them. */
export const brokenBodies: readonly (readonly [name: string, bytes: string, reason: string])[] = [
  [
    "a length in its trailers",
    `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}0\r\nContent-Length: 9\r\nConnection: x\r\n\r\n`,
    "malformed",
  ],
  ["fewer bytes than its length", `${head("HTTP/1.1 200 OK", "Content-Length: 9")}ok`, "broke off"],
  ["a chunk without a size", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}zz\r\n`, "malformed"],
  ["a malformed trailer", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}0\r\nX A: b\r\n\r\n`, "malformed"],
];

/** Requests that a proxy may meet, in bytes. All of them end their connection. */
export const oddRequests: readonly (readonly [name: string, bytes: string])[] = [
  ["Trailer without chunks", head("GET /a HTTP/1.1", "Host: x", "Trailer: X-A", "Connection: close")],
  [
    "Trailer with a length",
    `${head("POST /a HTTP/1.1", "Host: x", "Trailer: X-A", "Content-Length: 1", "Connection: close")}a`,
  ],
  ["an unusual method", head("M-SEARCH /a HTTP/1.1", "Host: x", "Connection: close")],
  ["OPTIONS *", head("OPTIONS * HTTP/1.1", "Host: x", "Connection: close")],
  ["CONNECT", head("CONNECT a.example:443 HTTP/1.1", "Host: x")],
  ["an absolute target", head("GET http://[::1/a HTTP/1.1", "Host: x", "Connection: close")],
  ["bytes above 127 in the target", head("GET /\xe9 HTTP/1.1", "Host: x", "Connection: close")],
  ["an upgrade", head("GET /a HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade, close")],
  [
    "a length and chunks",
    `${head("POST /a HTTP/1.1", "Host: x", "Content-Length: 1", "Transfer-Encoding: chunked")}0\r\n\r\n`,
  ],
  ["a body that is cut", `${head("POST /a HTTP/1.1", "Host: x", "Content-Length: 9", "Connection: close")}a`],
  [
    "malformed trailers",
    `${head("POST /a HTTP/1.1", "Host: x", "Transfer-Encoding: chunked", "Connection: close")}0\r\nX A: b\r\n\r\n`,
  ],
  [
    "trailers that belong to a connection",
    `${head("POST /a HTTP/1.1", "Host: x", "Transfer-Encoding: chunked", "Connection: close")}0\r\nHost: y\r\nContent-Length: 9\r\n\r\n`,
  ],
  ["bytes above 127 in a value", head("GET /a HTTP/1.1", "Host: x", "X-A: \xe9\xff", "Connection: close")],
  ["an unknown expectation", head("GET /a HTTP/1.1", "Host: x", "Expect: more", "Connection: close")],
  ["two hosts", head("GET /a HTTP/1.1", "Host: x", "Host: y", "Connection: close")],
];

/** Starts a server that answers each connection with `bytes` and closes it, for the rest of the test. Returns its URL. */
export async function startRawServer(bytes: string | ((request: string) => string)): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const answer = typeof bytes === "string" ? bytes : bytes(data.toString("latin1"));
      socket.end(Buffer.from(answer, "latin1"));
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await listenOn(server)}`;
}

/** Responses over HTTP/2 as frames of a stream, and whether Node refuses to pass them on. */
export const hostileFrames: readonly (readonly [
  name: string,
  frames: (stream: number) => readonly Buffer[],
  isMalformed: boolean,
])[] = [
  [
    "hints without end",
    (stream) => Array(1_100).fill(frame(headers, endHeaders, stream, fields([":status", "103"]))),
    true,
  ],
  ["status 000", (stream) => [frame(headers, endHeaders | endStream, stream, fields([":status", "000"], grpc))], true],
  [
    "status 099 before data",
    (stream) => [
      frame(headers, endHeaders, stream, fields([":status", "099"], grpc)),
      frame(data, endStream, stream, Buffer.alloc(5)),
    ],
    true,
  ],
  ["status 999", (stream) => [frame(headers, endHeaders | endStream, stream, fields([":status", "999"], grpc))], true],
  [
    "two statuses",
    (stream) => [frame(headers, endHeaders | endStream, stream, fields([":status", "200"], [":status", "201"]))],
    false,
  ],
  [
    "a header of HTTP/1.1",
    (stream) => [
      frame(
        headers,
        endHeaders | endStream,
        stream,
        fields([":status", "200"], ["http2-settings", "x"], ["connection", "x"]),
      ),
    ],
    false,
  ],
  [
    "http2-settings",
    (stream) => [frame(headers, endHeaders | endStream, stream, fields([":status", "200"], ["http2-settings", "x"]))],
    false,
  ],
  [
    "http2-settings as a trailer",
    (stream) => [
      frame(headers, endHeaders, stream, fields([":status", "200"], grpc)),
      frame(headers, endHeaders | endStream, stream, fields(["grpc-status", "0"], ["http2-settings", "x"])),
    ],
    false,
  ],
  [
    "a pseudo-header as a trailer",
    (stream) => [
      frame(headers, endHeaders, stream, fields([":status", "200"], grpc)),
      frame(headers, endHeaders | endStream, stream, fields([":status", "200"])),
    ],
    false,
  ],
  [
    "204 with data",
    (stream) => [
      frame(headers, endHeaders, stream, fields([":status", "204"])),
      frame(data, endStream, stream, Buffer.alloc(5)),
    ],
    false,
  ],
  [
    "a push and its end",
    (stream) => [
      frame(
        pushPromise,
        endHeaders,
        stream,
        Buffer.concat([
          numbers(stream + 1),
          fields([":method", "GET"], [":scheme", "http"], [":authority", "x"], [":path", "/"]),
        ]),
      ),
      frame(rst, 0, stream + 1, numbers(1)),
      frame(headers, endHeaders | endStream, stream, fields([":status", "200"], grpc)),
    ],
    false,
  ],
  ["DATA on stream 0", () => [frame(data, 0, 0, Buffer.alloc(5))], true],
  ["a stream that it refuses", (stream) => [frame(rst, 0, stream, numbers(7))], false],
  [
    "an informational response",
    (stream) => [
      frame(headers, endHeaders, stream, fields([":status", "103"], ["link", "x"])),
      frame(headers, endHeaders | endStream, stream, fields([":status", "200"], grpc)),
    ],
    false,
  ],
];
