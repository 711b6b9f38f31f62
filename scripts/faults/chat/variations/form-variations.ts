import { gzipSync } from "node:zlib";
import type { Behaviour } from "../behaviour.js";
import { changesResponse } from "../changes.js";
import { variation } from "../describe.js";
import type { ChatVariation } from "../fault.js";
import { jsonOf, withContentType } from "../messages.js";
import { type Header, headerOf, withHeader } from "../wire.js";

/** Variations of the serialization and transport of responses. */
export const formVariations: readonly ChatVariation[] = [
  variation("media-type-in-other-case", "writes the media type of its JSON in a different letter case").by(
    labels((type) => type.replace(/^application\/json/, "Application/JSON")),
  ),
  variation("white-space", "indents its JSON and adds blank lines around it").by(
    rewrites((text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, "\t")}\n\n`),
  ),
  variation("unicode-escapes", "escapes characters in its JSON unnecessarily").by(
    rewrites((text) =>
      text
        .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .replace(/(?<!\\)\//g, "\\/"),
    ),
  ),
  variation("numbers-with-fraction", "writes integers with a fraction of zero").by(
    rewrites((text) => text.replace(/("(?:id|reminder_id|user_id|size|anchor)":)(\d{1,12})(?=[,}])/g, "$1$2.0")),
  ),
  variation("charset", "declares the charset of its JSON").by(
    labels((type) => (type === "application/json" ? "application/json; charset=utf-8" : type)),
  ),
  variation("charset-quoted", "declares the charset of its JSON in quotation marks, without a space").by(
    labels((type) => (type.startsWith("application/json") ? 'application/json;charset="UTF-8"' : type)),
  ),
  variation("extra-headers", "sends additional headers").changesResponse("all", (response) => ({
    ...response,
    headers: [
      ...response.headers,
      ["Server", "chat/1.0"],
      ["Set-Cookie", "__Host-csrf=1; Secure; Path=/"],
      ["Set-Cookie", "sessionid=2; HttpOnly"],
      ["Cache-Control", "no-store"],
      ["Vary", "Authorization, Accept-Language"],
      ["WWW-Authenticate", 'Basic realm="chat"'],
      ["Strict-Transport-Security", "max-age=15768000"],
      ["X-RateLimit-Remaining", "199"],
    ],
  })),
  variation("header-names-in-upper-case", "writes header names in upper case").changesResponse("all", (response) => ({
    ...response,
    headers: response.headers.map(([name, value]): Header => [name.toUpperCase(), value]),
  })),
  variation("header-names-in-lower-case", "writes header names in lower case").changesResponse("all", (response) => ({
    ...response,
    headers: response.headers.map(([name, value]): Header => [name.toLowerCase(), value]),
  })),
  variation("no-date", "sends no `Date` header").returnsHeader("all", "Date"),
  variation("date-in-rfc-850-format", "sends the `Date` header in the format of RFC 850").returnsHeader(
    "all",
    "Date",
    "Sunday, 06-Nov-94 08:49:37 GMT",
  ),
  variation("gzip", "compresses its responses for clients that accept this").changesResponse(
    "all",
    (response, request) => {
      const takesIt = /\bgzip\b/.test(headerOf(request, "Accept-Encoding") ?? "");
      if (!takesIt || response.body.length === 0) return response;
      return withHeader({ ...response, body: gzipSync(response.body) }, "Content-Encoding", "gzip");
    },
  ),
  variation("small-chunks", "sends its responses in chunks of a few bytes").changesResponse("all", (response) => ({
    ...response,
    pieces: Math.max(7, Math.ceil(response.body.length / 40)),
  })),
  variation("no-keep-alive", "closes the connection after every response").changesResponse("all", (response) => ({
    ...response,
    close: true,
  })),
  variation("slower", "responds 20 ms later").always("all", async (request, forward) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return forward(request);
  }),
  variation("other-methods", "responds to HEAD, OPTIONS and PUT in its own way").always("all", (request, forward) => {
    // The tus protocol defines HEAD and OPTIONS there.
    if (request.target.startsWith("/api/v1/tus")) return forward(request);
    if (request.method === "OPTIONS") return { status: 204, headers: [["Allow", "GET, POST"]], body: Buffer.alloc(0) };
    if (request.method === "HEAD") return { status: 404, headers: [], body: Buffer.alloc(0) };
    if (request.method !== "PUT") return forward(request);
    return { status: 405, headers: [["Content-Type", "text/html"]], body: Buffer.from("<h1>No</h1>") };
  }),
];

/** Serializes the same JSON value differently. */
function rewrites(write: (text: string) => string): Behaviour {
  return changesResponse("all", (response) =>
    jsonOf(response) === undefined ? undefined : { ...response, body: Buffer.from(write(String(response.body))) },
  );
}

/** Declares another media type for the same content. */
function labels(write: (type: string) => string): Behaviour {
  return changesResponse("all", (response) => {
    const type = headerOf(response, "Content-Type");
    return type === undefined ? undefined : withContentType(response, write(type));
  });
}
