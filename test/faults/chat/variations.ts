import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { ChatReference, ChatReferenceOptions } from "../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "./behaviour.js";
import {
  always,
  changesAnswer,
  changesError,
  changesJson,
  failure,
  isJson,
  jsonOf,
  listOf,
  parametersOf,
  withContentType,
} from "./changes.js";
import { type Header, headerOf, type WireResponse, withHeader } from "./wire.js";

/** A behaviour of a server that keeps the contract, so that nothing may be reported. */
export interface Variation {
  /** Unique; in kebab case. */
  readonly name: string;
  /** What the server does, in a phrase without a subject. */
  readonly summary: string;
  readonly behaviour?: Behaviour;
  /** How the server behind it is started. */
  readonly options?: ChatReferenceOptions;
  /** What is done to the server behind it before it is used. */
  readonly prepare?: (reference: ChatReference) => void;
}

/** Variations of the JSON in answers. They are applied before those of how it is written. */
const ofContent: readonly Variation[] = [
  {
    name: "key-order",
    summary: "writes the keys of its objects in reverse order",
    behaviour: changesJson("all", (body) => mapObjects(body, (entries) => entries.reverse())),
  },
  {
    name: "extra-fields",
    summary: "answers fields that no one knows in objects of every kind",
    behaviour: changesJson("all", (body) => {
      for (const message of listOf(body.messages)) {
        for (const nested of [...listOf(message.reactions), ...listOf(message.edit_history)]) nested.later = [{}];
        for (const user of listOf(message.display_recipient)) user.later = null;
        message.later = { deep: [null] };
      }
      for (const upload of listOf(body.detached_uploads)) upload.later = 1;
      for (const objection of listOf(body.objections)) objection.later = "x";
      if (isJson(body.status) && Object.keys(body.status).length > 0) body.status.later = true;
      return { ...body, later: { deep: [1, null] }, "": "" };
    }),
  },
  {
    name: "other-texts",
    summary: "says everything in another language",
    behaviour: changesError("all", (body) => {
      body.msg = "Das geht leider nicht – “так нельзя”";
    }),
  },
  {
    name: "extra-error-fields",
    summary: "answers further fields in errors",
    behaviour: changesError("all", (body) => ({ ...body, var_name: "x", documentation: null, details: [{ at: 1 }] })),
  },
  {
    name: "sets-in-other-order",
    summary: "lists in another order what has no order",
    behaviour: changesJson("all", (body) => {
      for (const name of ["removed", "not_removed", "ignored_parameters_unsupported", "objections"]) {
        if (Array.isArray(body[name])) body[name] = body[name].toReversed();
      }
      for (const objection of listOf(body.objections)) {
        if (Array.isArray(objection.settings)) objection.settings.reverse();
      }
    }),
  },
  {
    name: "nothing-ignored-listed",
    summary: "lists the parameters that it ignores also when there are none",
    behaviour: changesJson("all", (body, { status }) => {
      if (status === 200) body.ignored_parameters_unsupported ??= [];
    }),
  },
  {
    name: "nothing-detached-left-out",
    summary: "leaves `detached_uploads` out when an edit detaches nothing",
    behaviour: changesJson(["editMessage"], (body) => {
      if (Array.isArray(body.detached_uploads) && body.detached_uploads.length === 0) delete body.detached_uploads;
    }),
  },
  {
    name: "late-move-without-own-code",
    summary: "answers BAD_REQUEST to a late move without `change_all`",
    behaviour: always(["editMessage"], async (request, forward) => {
      const answer = await forward(request);
      const isLate = jsonOf(answer)?.code === "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED";
      const isWhole = parametersOf(request).get("propagate_mode") === "change_all";
      return isLate && !isWhole ? failure(400, "BAD_REQUEST", "The time limit has passed") : answer;
    }),
  },
  {
    name: "code-points-in-capitals",
    summary: "writes the code points of an emoji in capital letters",
    behaviour: changesJson(["getMessages", "getUserStatus"], (body) => {
      for (const one of [
        ...listOf(body.messages).flatMap(({ reactions }) => listOf(reactions)),
        ...listOf([body.status]),
      ]) {
        if (one.reaction_type === "unicode_emoji") one.emoji_code = String(one.emoji_code).toUpperCase();
      }
    }),
  },
  {
    name: "away-always-told",
    summary: "answers `away` false in every other status",
    behaviour: changesJson(["getUserStatus"], (body) => {
      if (isJson(body.status)) body.status.away ??= false;
    }),
  },
  {
    name: "history-limited-always-told",
    summary: "answers `history_limited` false whatever was fetched",
    behaviour: changesJson(["getMessages"], (body, { status }) => {
      if (status === 200) body.history_limited = false;
    }),
  },
  {
    name: "anchor-beyond-all-messages",
    summary: "starts beyond all messages when none is unread",
    behaviour: changesJson(["getMessages"], (body, { status, request }) => {
      const parameters = parametersOf(request);
      const isFromUnread =
        parameters.get("anchor") === "first_unread" || parameters.get("use_first_unread_anchor") === "true";
      const messages = listOf(body.messages);
      const isRead = messages.every(({ flags }) => Array.isArray(flags) && flags.includes("read"));
      if (status !== 200 || !isFromUnread || !isRead) return;
      body.anchor = 10_000_000_000_000_000;
      body.found_anchor = false;
      // The most recent message is one of those before the anchor now.
      const count = Number(parameters.get("num_before"));
      body.messages = count === 0 ? [] : messages.slice(-count);
    }),
  },
  {
    name: "attributes-in-html",
    summary: "writes attributes of its own into HTML, another time others",
    behaviour: changesJson(["getMessages"], (body) => {
      for (const message of listOf(body.messages)) {
        if (message.content_type !== "text/html") continue;
        const attributes = `data-message="${message.id}" data-rendered='${randomUUID()}'`;
        message.content = String(message.content).replace(/<(a|p)\b/g, `<$1 ${attributes}`);
      }
    }),
  },
  {
    name: "own-code-for-malformed",
    summary: "answers 422 with a code of its own to parameters that are missing or malformed",
    behaviour: always("all", async (request, forward) => {
      const answer = await forward(request);
      const isMalformed = /^(Missing|Argument|The form|Content)/.test(String(jsonOf(answer)?.msg));
      return answer.status === 400 && isMalformed ? failure(422, "INVALID_PARAMETERS", "No") : answer;
    }),
  },
];

/** Variations of how an answer is written and sent. */
const ofForm: readonly Variation[] = [
  {
    name: "media-type-in-capitals",
    summary: "writes the media type of its JSON in capital letters",
    behaviour: changesAnswer("all", (answer) => {
      const type = headerOf(answer, "Content-Type");
      return type === undefined
        ? answer
        : withContentType(answer, type.replace(/^application\/json/, "Application/JSON"));
    }),
  },
  {
    name: "white-space",
    summary: "indents its JSON, with blank lines around it",
    behaviour: rewrites((text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, "\t")}\n\n`),
  },
  {
    name: "unicode-escapes",
    summary: "escapes in its JSON what need not be escaped",
    behaviour: rewrites((text) =>
      text
        .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .replace(/(?<!\\)\//g, "\\/"),
    ),
  },
  {
    name: "numbers-with-fraction",
    summary: "writes whole numbers with a fraction of zero",
    behaviour: rewrites((text) =>
      text.replace(/("(?:id|reminder_id|user_id|size|anchor)":)(\d{1,12})(?=[,}])/g, "$1$2.0"),
    ),
  },
  {
    name: "charset",
    summary: "names the charset of its JSON",
    behaviour: changesAnswer("all", (answer) =>
      headerOf(answer, "Content-Type") === "application/json"
        ? withContentType(answer, "application/json; charset=utf-8")
        : answer,
    ),
  },
  {
    name: "charset-quoted",
    summary: "names the charset of its JSON in quotation marks, without a space",
    behaviour: changesAnswer("all", (answer) =>
      headerOf(answer, "Content-Type")?.startsWith("application/json")
        ? withContentType(answer, 'application/json;charset="UTF-8"')
        : answer,
    ),
  },
  {
    name: "extra-headers",
    summary: "sends headers that no one has asked for",
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
    name: "header-names-in-capitals",
    summary: "writes the names of its headers in capital letters",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]): Header => [name.toUpperCase(), value]),
    })),
  },
  {
    name: "header-names-in-small-letters",
    summary: "writes the names of its headers in small letters",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      headers: answer.headers.map(([name, value]): Header => [name.toLowerCase(), value]),
    })),
  },
  {
    name: "no-date",
    summary: "does not say when it answered",
    behaviour: changesAnswer("all", (answer) => withHeader(answer, "Date")),
  },
  {
    name: "date-in-old-form",
    summary: "says when it answered in the form of RFC 850",
    behaviour: changesAnswer("all", (answer) => withHeader(answer, "Date", "Sunday, 06-Nov-94 08:49:37 GMT")),
  },
  {
    name: "gzip",
    summary: "compresses its answers for those who take that",
    behaviour: changesAnswer("all", (answer, request) => {
      const takesIt = /\bgzip\b/.test(headerOf(request, "Accept-Encoding") ?? "");
      if (!takesIt || answer.body.length === 0) return answer;
      return withHeader({ ...answer, body: gzipSync(answer.body) }, "Content-Encoding", "gzip");
    }),
  },
  {
    name: "small-pieces",
    summary: "sends its answers chunked, a few bytes at a time",
    behaviour: changesAnswer("all", (answer) => ({
      ...answer,
      pieces: Math.max(7, Math.ceil(answer.body.length / 40)),
    })),
  },
  {
    name: "no-keep-alive",
    summary: "closes the connection after every answer",
    behaviour: changesAnswer("all", (answer) => ({ ...answer, close: true })),
  },
  {
    name: "slower",
    summary: "takes 20 ms longer",
    behaviour: always("all", async (request, forward) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return forward(request);
    }),
  },
  {
    name: "other-methods",
    summary: "answers HEAD, OPTIONS and PUT in its own way",
    behaviour: always("all", (request, forward) => {
      // There the tus protocol says what HEAD and OPTIONS do.
      if (request.target.startsWith("/api/v1/tus")) return forward(request);
      if (request.method === "OPTIONS")
        return { status: 204, headers: [["Allow", "GET, POST"]], body: Buffer.alloc(0) };
      if (request.method === "HEAD") return { status: 404, headers: [], body: Buffer.alloc(0) };
      if (request.method !== "PUT") return forward(request);
      return { status: 405, headers: [["Content-Type", "text/html"]], body: Buffer.from("<h1>No</h1>") };
    }),
  },
];

/** Variations of the server behind. */
const ofServer: readonly Variation[] = [
  {
    name: "other-ids",
    summary: "gives ids from elsewhere, beyond 32 bits",
    prepare: ({ services }) => {
      services.database.execute(
        `insert into sqlite_sequence (name, seq)
         select name, 5000000000 + 1000000 * rowid from sqlite_master where type = 'table' and sql like '%autoincrement%'`,
      );
    },
  },
  {
    name: "other-clock",
    summary: "has a clock that is three years ahead",
    options: { clock: { now: () => Date.now() + 3 * 365 * 86_400_000 } },
  },
];

/** What keeps the contract, whatever it does otherwise. */
export const variations: readonly Variation[] = [...ofForm, ...ofContent, ...ofServer];

/** All of them at once: those of the content change what those of the form write. */
export function allTogether(): Required<Variation> {
  const behaviours = variations.flatMap(({ behaviour }) => behaviour ?? []);
  return {
    name: "all-together",
    summary: "does all of this",
    behaviour: {
      on: "all",
      start: (known) => {
        const handlers = behaviours.map(({ start }) => start(known));
        return (request, forward) =>
          handlers.reduceRight<typeof forward>((inner, handle) => async (one) => handle(one, inner), forward)(request);
      },
    },
    options: Object.assign({}, ...variations.map(({ options }) => options)),
    prepare: (reference) => {
      for (const { prepare } of variations) prepare?.(reference);
    },
  };
}

/** Writes the JSON of answers otherwise; its value stays. */
function rewrites(write: (text: string) => string): Behaviour {
  return changesAnswer(
    "all",
    (answer): WireResponse =>
      jsonOf(answer) === undefined ? answer : { ...answer, body: Buffer.from(write(String(answer.body))) },
  );
}

function mapObjects(value: unknown, change: (entries: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isJson(value)) return value;
  return Object.fromEntries(change(Object.entries(value)).map(([key, item]) => [key, mapObjects(item, change)]));
}
