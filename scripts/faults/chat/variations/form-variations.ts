import { gzipSync } from "node:zlib";
import type { Behaviour } from "../behaviour.js";
import { always, changesAnswer, jsonOf, withContentType } from "../changes.js";
import type { Variation } from "../variation.js";
import { type Header, headerOf, type WireResponse, withHeader } from "../wire.js";

/** Variations of the serialization and transport of responses. */
export const formVariations: readonly Variation[] = [
  {
    name: "media-type-in-other-case",
    summary: "writes the media type of its JSON in a different letter case",
    behaviour: changesAnswer("all", (answer) => {
      const type = headerOf(answer, "Content-Type");
      return type === undefined
        ? answer
        : withContentType(answer, type.replace(/^application\/json/, "Application/JSON"));
    }),
  },
  {
    name: "white-space",
    summary: "indents its JSON and adds blank lines around it",
    behaviour: rewrites((text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, "\t")}\n\n`),
  },
  {
    name: "unicode-escapes",
    summary: "escapes characters in its JSON unnecessarily",
    behaviour: rewrites((text) =>
      text
        .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .replace(/(?<!\\)\//g, "\\/"),
    ),
  },
  {
    name: "numbers-with-fraction",
    summary: "writes integers with a fraction of zero",
    behaviour: rewrites((text) =>
      text.replace(/("(?:id|reminder_id|user_id|size|anchor)":)(\d{1,12})(?=[,}])/g, "$1$2.0"),
    ),
  },
  {
    name: "charset",
    summary: "declares the charset of its JSON",
    behaviour: changesAnswer("all", (answer) =>
      headerOf(answer, "Content-Type") === "application/json"
        ? withContentType(answer, "application/json; charset=utf-8")
        : answer,
    ),
  },
  {
    name: "charset-quoted",
    summary: "declares the charset of its JSON in quotation marks, without a space",
    behaviour: changesAnswer("all", (answer) =>
      headerOf(answer, "Content-Type")?.startsWith("application/json")
        ? withContentType(answer, 'application/json;charset="UTF-8"')
        : answer,
    ),
  },
  {
    name: "extra-headers",
    summary: "sends additional headers",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      headers: [
        ...answer.headers,
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
  },
  {
    name: "header-names-in-upper-case",
    summary: "writes header names in upper case",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]): Header => [name.toUpperCase(), value]),
    })),
  },
  {
    name: "header-names-in-lower-case",
    summary: "writes header names in lower case",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]): Header => [name.toLowerCase(), value]),
    })),
  },
  {
    name: "no-date",
    summary: "sends no `Date` header",
    behaviour: changesAnswer("all", (answer) => withHeader(answer, "Date")),
  },
  {
    name: "date-in-rfc-850-format",
    summary: "sends the `Date` header in the format of RFC 850",
    behaviour: changesAnswer("all", (answer) => withHeader(answer, "Date", "Sunday, 06-Nov-94 08:49:37 GMT")),
  },
  {
    name: "gzip",
    summary: "compresses its responses for clients that accept this",
    behaviour: changesAnswer("all", (answer, request) => {
      const takesIt = /\bgzip\b/.test(headerOf(request, "Accept-Encoding") ?? "");
      if (!takesIt || answer.body.length === 0) return answer;
      return withHeader({ ...answer, body: gzipSync(answer.body) }, "Content-Encoding", "gzip");
    }),
  },
  {
    name: "small-chunks",
    summary: "sends its responses in chunks of a few bytes",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      pieces: Math.max(7, Math.ceil(answer.body.length / 40)),
    })),
  },
  {
    name: "no-keep-alive",
    summary: "closes the connection after every response",
    behaviour: changesAnswer("all", (answer) => ({ ...answer, close: true })),
  },
  {
    name: "slower",
    summary: "responds 20 ms later",
    behaviour: always("all", async (request, forward) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return forward(request);
    }),
  },
  {
    name: "other-methods",
    summary: "responds to HEAD, OPTIONS and PUT in its own way",
    behaviour: always("all", (request, forward) => {
      // The tus protocol defines HEAD and OPTIONS there.
      if (request.target.startsWith("/api/v1/tus")) return forward(request);
      if (request.method === "OPTIONS")
        return { status: 204, headers: [["Allow", "GET, POST"]], body: Buffer.alloc(0) };
      if (request.method === "HEAD") return { status: 404, headers: [], body: Buffer.alloc(0) };
      if (request.method !== "PUT") return forward(request);
      return { status: 405, headers: [["Content-Type", "text/html"]], body: Buffer.from("<h1>No</h1>") };
    }),
  },
];

/** Serializes the same JSON value differently. */
function rewrites(write: (text: string) => string): Behaviour {
  return changesAnswer(
    "all",
    (answer): WireResponse =>
      jsonOf(answer) === undefined ? answer : { ...answer, body: Buffer.from(write(String(answer.body))) },
  );
}
