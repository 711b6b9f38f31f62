import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { listen } from "../../../src/base/listen.js";

/** What a server of the notes can do that still keeps their document. */
export const notesVariants = [
  ...["eventual list", "eventual read", "soft deletion", "ids as texts", "accepted for later", "envelope"],
  ...["generated defaults", "normalized texts", "folded addresses", "freed ids", "gone", "no deletion", "shared"],
  ...["volatile members", "weak tags", "validates first", "deletes again", "puts anew"],
] as const;
export type NotesVariant = (typeof notesVariants)[number];

/** Mistakes of a server of the notes, with the rule that each breaks. */
export const notesFaults = {
  "create keeps nothing": "notes.created-is-read",
  "create loses accents": "notes.created-is-read",
  "list stays empty": "notes.listed",
  "filter is ignored": "notes.listed",
  "put merges": "notes.replaced",
  "put twice fails": "notes.idempotent",
  "patch resets": "notes.merged",
  "refused patch is half done": "notes.refused-changes-nothing",
  "delete keeps": "notes.removed",
  "list keeps what is removed": "notes.removed",
  "a refused creation creates": "notes.refused-changes-nothing",
  "others read": "notes.not-for-others",
  "others change": "notes.not-for-others",
  "others list": "notes.not-for-others",
  "comments anywhere": "comments.child-of-parent",
  "stale tags pass": "notes.concurrent",
} as const;
export type NotesFault = keyof typeof notesFaults;

interface Note {
  readonly id: number;
  readonly owner: string;
  readonly at: number;
  readonly deletedAt?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

type Reply = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** A running server, and what is still on it. */
export interface NotesServer {
  readonly url: string;
  readonly left: () => number;
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

/** Starts a server of the notes for the tokens `ada` and `bob`. */
export async function startNotes(how?: NotesVariant | NotesFault): Promise<NotesServer> {
  const notes = new Map<number, Note>();
  const comments = new Map<number, { readonly note: number; readonly text: string }>();
  const requests: string[] = [];
  const removed: Note[] = [];
  let [last, lastComment, puts] = [0, 0, new Set<number>()];
  const later = 400;

  const problemIn = (given: Record<string, unknown>, isWhole: boolean): boolean =>
    (isWhole && (given.title === undefined || given.email === undefined)) ||
    ["title", "email", "colour"].some((name) => given[name] != null && typeof given[name] !== "string") ||
    (given.colour != null && given.colour !== "red" && given.colour !== "green") ||
    (given.stars != null && !Number.isInteger(given.stars));
  const kept = (given: Record<string, unknown>): Record<string, unknown> => ({
    ...given,
    ...(how === "normalized texts" ? { title: String(given.title).trim().normalize("NFKC").replace(/\s+/g, " ") } : {}),
    ...(how === "create loses accents" ? { title: String(given.title).replace(/[^ -~]/g, "?") } : {}),
    ...(how === "folded addresses" ? { email: String(given.email).toLowerCase() } : {}),
  });
  const shown = ({ id, deletedAt, fields }: Note) => ({
    ...{ id: how === "ids as texts" ? String(id) : id, colour: "red", stars: null, ...fields },
    ...(how === "generated defaults" ? { createdBy: "somebody", stars: fields.stars ?? 3 } : {}),
    ...(how === "volatile members" ? { servedAt: new Date().toISOString(), views: requests.length } : {}),
    ...(deletedAt === undefined ? {} : { deletedAt }),
  });
  const wrap = (value: unknown) => (how === "envelope" ? { data: value } : value);
  const tagOf = (note: Note) => {
    const digest = createHash("sha256").update(JSON.stringify(note)).digest("hex").slice(0, 12);
    return how === "weak tags" ? `W/"${digest}"` : `"${digest}"`;
  };

  const answer = (
    method: string,
    url: URL,
    who: string,
    given: Record<string, unknown>,
    tag: string | undefined,
  ): Reply => {
    const [, kind, id = "", below, commentId] = url.pathname.split("/");
    if (who !== "ada" && who !== "bob") {
      if (how === "a refused creation creates" && method === "POST" && id === "" && !problemIn(given, true))
        onAll(method, url, "ada", given);
      return [401, { error: "token" }];
    }
    if (kind !== "notes" || (below !== undefined && below !== "comments")) return [404, { error: "path" }];
    if (
      how === "validates first" &&
      method !== "GET" &&
      method !== "DELETE" &&
      below === undefined &&
      problemIn(given, method !== "PATCH")
    )
      return [422, { error: "invalid" }];
    if (id === "") return onAll(method, url, who, given);
    const note = notes.get(Number(id));
    const isOpen =
      how === "shared" || how === "others read" || (how === "others change" && /^(?:PUT|PATCH)$/.test(method));
    if (note === undefined && how === "deletes again" && method === "DELETE" && Number(id) <= last) return [204];
    if (note === undefined && how === "puts anew" && method === "PUT" && !problemIn(given, true)) {
      const anew = { id: Number(id), owner: who, at: Date.now(), fields: kept(given) };
      notes.set(anew.id, anew);
      return [200, wrap(shown(anew))];
    }
    if (note === undefined || (note.owner !== who && !isOpen))
      return [how === "gone" && Number(id) <= last ? 410 : 404, { error: "unknown" }];
    if (below !== undefined) return onComments(method, note.id, commentId, given);
    return onOne(method, note, given, tag);
  };

  const onAll = (method: string, url: URL, who: string, given: Record<string, unknown>): Reply => {
    if (method === "GET") {
      const colour = url.searchParams.get("colour");
      const listed = how === "list keeps what is removed" ? [...notes.values(), ...removed] : [...notes.values()];
      const own = listed.filter(
        (note) =>
          (note.owner === who || how === "shared" || how === "others list") &&
          note.deletedAt === undefined &&
          (how !== "eventual list" || note.at < Date.now() - later) &&
          how !== "list stays empty" &&
          (colour === null || how === "filter is ignored" || (note.fields.colour ?? "red") === colour),
      );
      return [200, wrap(own.map(shown))];
    }
    if (method !== "POST") return [405, { error: "method" }];
    if (problemIn(given, true)) return [400, { error: "invalid" }];
    const free = Array.from({ length: notes.size + 1 }, (_, index) => index + 1).find((one) => !notes.has(one)) ?? 0;
    const id = how === "freed ids" ? free : last + 1;
    last = Math.max(last, id);
    const note = { id, owner: who, at: Date.now(), fields: kept(given) };
    if (how !== "create keeps nothing") notes.set(id, note);
    if (how === "accepted for later") return [202, {}];
    return [201, wrap(shown(note)), { Location: `/notes/${id}` }];
  };

  const onOne = (method: string, note: Note, given: Record<string, unknown>, tag: string | undefined): Reply => {
    const set = (fields: Record<string, unknown>): Reply => {
      const changed = { ...note, fields };
      notes.set(note.id, changed);
      return [200, wrap(shown(changed))];
    };
    switch (method) {
      case "GET":
        if (how === "eventual read" && note.at > Date.now() - later) return [404, { error: "unknown" }];
        return [200, wrap(shown(note)), { ETag: tagOf(note) }];
      case "PUT":
        if (problemIn(given, true)) return [400, { error: "invalid" }];
        if (how === "put twice fails" && puts.has(note.id)) return [409, { error: "again" }];
        puts = new Set([...puts, note.id]);
        return set(how === "put merges" ? { ...note.fields, ...kept(given) } : kept(given));
      case "PATCH": {
        if (problemIn(given, false)) {
          if (how === "refused patch is half done") set({ ...note.fields, title: given.title });
          return [400, { error: "invalid" }];
        }
        const isStale = tag !== undefined && (tag.startsWith("W/") || tag !== tagOf(note));
        if (isStale && how !== "stale tags pass") return [412, { error: "stale" }];
        const { title, email } = note.fields;
        const merged = { ...(how === "patch resets" ? { title, email: "reset@example.com" } : note.fields), ...given };
        void email;
        return set(kept(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))));
      }
      case "DELETE":
        if (how === "no deletion") return [409, { error: "disable it first" }];
        if (how === "accepted for later") return [202, {}];
        if (how === "soft deletion") notes.set(note.id, { ...note, deletedAt: new Date().toISOString() });
        else if (how !== "delete keeps") notes.delete(note.id);
        removed.push(note);
        return [204];
      default:
        return [405, { error: "method" }];
    }
  };

  const onComments = (method: string, note: number, id: string | undefined, given: Record<string, unknown>): Reply => {
    if (id === undefined) {
      if (method !== "POST") return [405, { error: "method" }];
      if (typeof given.text !== "string") return [400, { error: "invalid" }];
      comments.set(++lastComment, { note, text: given.text });
      return [201, { id: lastComment, text: given.text }];
    }
    const found = comments.get(Number(id));
    if (found === undefined || (found.note !== note && how !== "comments anywhere")) return [404, { error: "unknown" }];
    if (method === "DELETE") comments.delete(Number(id));
    if (method === "DELETE") return [204];
    return method === "GET" ? [200, { id: Number(id), text: found.text }] : [405, { error: "method" }];
  };

  const { url, close } = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      requests.push(`${request.method} ${request.url}`);
      let given: unknown;
      try {
        given = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
      } catch {
        given = undefined;
      }
      const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
      const who = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const place = new URL(request.url ?? "/", "http://localhost");
      const [status, body, headers = {}] = isObject
        ? answer(request.method ?? "GET", place, who, given as Record<string, unknown>, request.headers["if-match"])
        : [400, { error: "body" }];
      response.writeHead(status, { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    }),
  );
  return { url, left: () => notes.size + comments.size, requests, close };
}
