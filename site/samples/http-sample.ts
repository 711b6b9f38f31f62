import type { SampleRequest } from "./sample-request.js";

const boundary = "accord-boundary";

/** The request as sent over HTTP/1.1, with LF line endings. */
export function httpSample({ sent }: SampleRequest): string {
  const url = new URL(sent.url);
  const { "Content-Type": type, ...headers } = sent.headers;
  const random = /boundary=(.+)$/.exec(type ?? "")?.[1];
  const body = sent.bytes.toString("utf8");
  const shown = random === undefined ? body : body.replaceAll(random, boundary).replaceAll("\r\n", "\n");
  // On the wire, the lines of a multipart body also end with CRLF, except those of the file.
  const length = random === undefined ? sent.bytes.length : Buffer.byteLength(body.replaceAll(random, boundary));
  const hasBody = sent.bytes.length > 0;
  const lines = [
    `${sent.method} ${sent.url.slice(url.origin.length)} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(type === undefined ? [] : [`Content-Type: ${random === undefined ? type : type.replace(random, boundary)}`]),
    ...(hasBody ? [`Content-Length: ${length}`] : sent.method === "GET" ? [] : ["Content-Length: 0"]),
  ];
  return `${lines.join("\n")}\n\n${shown}`.trimEnd();
}
