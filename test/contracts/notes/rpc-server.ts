import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";

/** The files of a contract of notes, by their paths, with the part of protovalidate that they use. */
export const notesFiles: Readonly<Record<string, string>> = {
  "notes.proto": `syntax = "proto3";
package notes.v1;
import "buf/validate/validate.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
service Notes {
  rpc CreateNote(CreateNoteRequest) returns (Note);
  rpc GetNote(GetNoteRequest) returns (Note);
  rpc ListNotes(ListNotesRequest) returns (ListNotesResponse);
  rpc UpdateNote(UpdateNoteRequest) returns (Note) { option idempotency_level = IDEMPOTENT; }
  rpc DeleteNote(DeleteNoteRequest) returns (google.protobuf.Empty);
  rpc NoteAttachLabel(LabelRequest) returns (google.protobuf.Empty);
  rpc NoteDetachLabel(LabelRequest) returns (google.protobuf.Empty);
}
enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; COLOUR_GREEN = 2; COLOUR_BLUE = 3; }
message Note {
  int64 id = 1;
  string title = 2;
  repeated string tags = 3;
  Colour colour = 4;
  optional int32 stars = 5;
  int64 size = 6;
  google.protobuf.Timestamp due = 7;
  oneof place { string room = 8; int32 shelf = 9; }
  int32 priority = 10 [(buf.validate.field).int32 = {gte: 1, lte: 5}];
  google.protobuf.Timestamp create_time = 11;
}
message CreateNoteRequest {
  Note note = 1;
  // A retry with the same id makes no second note.
  string request_id = 2;
}
message GetNoteRequest { int64 id = 1; }
message ListNotesRequest { int32 page_size = 1; string page_token = 2; Colour colour = 3; }
message ListNotesResponse { repeated Note notes = 1; string next_page_token = 2; }
message UpdateNoteRequest { Note note = 1; google.protobuf.FieldMask update_mask = 2; }
message DeleteNoteRequest { int64 id = 1; }
message LabelRequest { int64 note_id = 1; string label = 2; }
`,
  "buf/validate/validate.proto": `syntax = "proto2";
package buf.validate;
import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions { optional FieldRules field = 1159; }
message FieldRules { optional bool required = 25; optional Int32Rules int32 = 3; }
message Int32Rules { optional int32 lte = 3; optional int32 gte = 5; }
`,
};

/** What a server of notes does wrong, with the rule that it breaks. */
export const rpcNotesFaults = {
  "forgets the tags": "notes.created-is-read",
  "reverses the tags in its reply to a creation": "notes.created-is-read",
  "takes 0 for an absent number": "notes.created-is-read",
  "rounds large integers": "notes.created-is-read",
  "knows one alternative of a oneof": "notes.created-is-read",
  "lacks a value of an enumeration": "notes.created-is-read",
  "reads the first, whatever the id": "notes.created-is-read",
  "does not list": "notes.listed",
  "ignores a filter": "notes.listed",
  "ignores an update": "notes.changed",
  "replaces all in spite of a field mask": "notes.changed",
  "keeps what it removes": "notes.removed",
  "shows notes to others": "notes.not-for-others",
  "removes notes for others": "notes.not-for-others",
  "ignores the id of a request": "notes.idempotent",
  "adds to a repeated update": "notes.idempotent",
  "accepts what a constraint forbids": "notes-create-note.refuses-invalid",
} as const;

/** How servers may differ without doing wrong. */
export const rpcNotesVariants = [
  ...([
    "lists later",
    "sorts tags",
    "answers all failures with unknown",
    "refuses every creation",
    "keeps nothing",
  ] as const),
  ...(["has random ids", "sets the time of creation", "refuses long texts", "has pages of one"] as const),
] as const;

export type RpcNotesFault = keyof typeof rpcNotesFaults;
export type RpcNotesVariant = (typeof rpcNotesVariants)[number];

/** A running server of notes. */
export interface RpcNotes {
  readonly url: string;
  /** How many notes it has. */
  readonly left: () => number;
  readonly calls: () => number;
  readonly close: () => Promise<void>;
}

type Note = JsonObject & { readonly id: string };

/** Starts a server of notes, with one mistake or peculiarity. */
export async function startRpcNotes(
  { methods }: RpcContract,
  how?: RpcNotesFault | RpcNotesVariant,
): Promise<RpcNotes> {
  const notes = new Map<string, Note>();
  const labels = new Set<string>();
  const has = (name: RpcNotesFault | RpcNotesVariant) => how === name;
  const born = new Map<string, number>();
  let calls = 0;
  let next = 0;
  const fail = (code: Code) => new ConnectError("no", has("answers all failures with unknown") ? Code.Unknown : code);
  const find = (id: unknown): Note => {
    const note = has("reads the first, whatever the id") ? notes.values().next().value : notes.get(String(id ?? 0));
    if (note === undefined) throw fail(Code.NotFound);
    return note;
  };
  const valid = (note: JsonObject): JsonObject => {
    const { priority = 0, title = "" } = note;
    if (!has("accepts what a constraint forbids") && (Number(priority) < 1 || Number(priority) > 5))
      throw fail(Code.InvalidArgument);
    if (has("refuses long texts") && String(title).length > 12) throw fail(Code.InvalidArgument);
    const { stars, room, tags = [], ...others } = note;
    return {
      ...others,
      ...(has("forgets the tags") ? {} : { tags: has("sorts tags") ? [...(tags as string[])].sort() : tags }),
      ...(stars === undefined || (stars === 0 && has("takes 0 for an absent number")) ? {} : { stars }),
      ...(room === undefined || has("knows one alternative of a oneof") ? {} : { room }),
      ...(has("rounds large integers") && others.size ? { size: String(BigInt(Number(others.size)) % 2n ** 62n) } : {}),
      ...(has("lacks a value of an enumeration") && others.colour === "COLOUR_GREEN" ? { colour: 0 } : {}),
    };
  };
  const made = new Map<string, string>();
  const owners = new Map<string, string>();
  const updates = new Set<string>();
  const isOwn = (id: unknown, caller: string) => (owners.get(String(id ?? 0)) ?? caller) === caller;
  const handlers: Readonly<Record<string, (request: JsonObject, caller: string) => object>> = {
    createNote: ({ note = {}, requestId = "" }, caller) => {
      const earlier = notes.get(made.get(String(requestId)) ?? "");
      if (requestId !== "" && earlier !== undefined && !has("ignores the id of a request")) return earlier;
      if (has("refuses every creation")) throw fail(Code.PermissionDenied);
      const id = has("has random ids") ? String(Math.floor(Math.random() * 2 ** 40)) : String(++next);
      if (has("keeps nothing")) return { id: "1", title: "A note" };
      const kept = {
        ...valid(note as JsonObject),
        id,
        ...(has("sets the time of creation") ? { createTime: new Date(0).toJSON() } : {}),
      };
      notes.set(id, kept);
      owners.set(id, caller);
      made.set(String(requestId), id);
      born.set(id, Date.now());
      const { tags = [] } = kept as JsonObject;
      return has("reverses the tags in its reply to a creation")
        ? { ...kept, tags: (tags as string[]).toReversed() }
        : kept;
    },
    getNote: ({ id }, caller) => {
      if (!isOwn(id, caller) && !has("shows notes to others")) throw fail(Code.NotFound);
      return has("keeps nothing") ? { id: "1", title: "A note" } : find(id);
    },
    listNotes: ({ colour }) => {
      const isMeant = (note: Note) => colour === undefined || note.colour === colour || has("ignores a filter");
      const isSeen = ({ id }: Note) => !has("lists later") || Date.now() - (born.get(id) ?? 0) > 200;
      const found = has("does not list") ? [] : [...notes.values()].filter((note) => isMeant(note) && isSeen(note));
      return has("has pages of one") ? { notes: found.slice(0, 1), nextPageToken: "2" } : { notes: found };
    },
    updateNote: ({ note = {}, updateMask }) => {
      const { id, ...given } = note as Note;
      const known = find(id);
      if (has("ignores an update")) return known;
      const isAgain = updates.size === updates.add(JSON.stringify(note)).size;
      if (isAgain && has("adds to a repeated update")) given.title = `${given.title} again`;
      const names =
        updateMask === undefined || has("replaces all in spite of a field mask")
          ? undefined
          : String(updateMask).split(",");
      if (names === undefined && !has("replaces all in spite of a field mask")) valid(given);
      const changed = Object.entries(given).filter(([name]) => names?.includes(name) ?? true);
      const kept = { ...(names === undefined ? {} : known), ...Object.fromEntries(changed), id: known.id };
      notes.set(known.id, kept);
      return kept;
    },
    deleteNote: ({ id }, caller) => {
      if (!isOwn(id, caller) && !has("removes notes for others")) throw fail(Code.PermissionDenied);
      const { id: known } = find(id);
      if (!has("keeps what it removes")) notes.delete(known);
      return {};
    },
    noteAttachLabel: ({ noteId, label }) => {
      labels.add(`${find(noteId).id} ${label}`);
      return {};
    },
    noteDetachLabel: ({ noteId, label }) => {
      if (!labels.delete(`${noteId} ${label}`)) throw fail(Code.NotFound);
      return {};
    },
  };
  const implement =
    ({ localName, input, output }: DescMethodUnary) =>
    (request: Message, { requestHeader }: HandlerContext): Message => {
      calls++;
      const handle = handlers[localName];
      if (handle === undefined) throw new ConnectError(localName, Code.Unimplemented);
      return fromJson(
        output,
        handle(toJson(input, request) as JsonObject, requestHeader.get("authorization") ?? "") as JsonValue,
      );
    };
  const listener = connectNodeAdapter({
    routes: (router) => {
      for (const { method } of methods) router.rpc(method, implement(method));
    },
  });
  const server = createServer(listener);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left: () => notes.size,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}
