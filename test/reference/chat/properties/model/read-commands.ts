import { expect } from "vitest";
import { type ChatModel, canRead, type ModelMessage, type Person, type Place } from "./chat-model.js";
import { type ChatCommand, command, expectRefusal, expectSuccess, hasMessages, messageAt } from "./command.js";
import {
  isPermitted,
  isShown,
  type ModelNarrow,
  type ModelRange,
  matching,
  pageOf,
  sentNarrow,
} from "./narrow-rules.js";
import type { Session } from "./session.js";

/** A message as the server shows it. */
interface Shown {
  readonly id: number;
  readonly sender_id: number;
  readonly content: string;
  readonly content_type: string;
  readonly topic: string;
  readonly stream_id?: number;
  readonly display_recipient: string | readonly { readonly id: number }[];
  readonly flags: readonly string[];
  readonly edit_history?: readonly Entry[];
  readonly last_edit_timestamp?: number;
  readonly last_moved_timestamp?: number;
}

interface Entry {
  readonly user_id: number | null;
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

interface Page {
  readonly anchor?: number;
  readonly found_anchor: boolean;
  readonly found_newest: boolean;
  readonly found_oldest: boolean;
  readonly messages: readonly Shown[];
}

const raw = { apply_markdown: false, allow_empty_topic_name: true } as const;

/** Requests a range around an anchor and checks the whole response. */
export function readRange(given: {
  readonly by: Person;
  readonly narrow: ModelNarrow;
  readonly range: Omit<ModelRange, "anchor"> & {
    readonly anchor: "newest" | "oldest" | "first_unread" | { nth: number };
  };
}): ChatCommand {
  const { by, narrow, range } = given;
  return command("readRange", given, async (model, real) => {
    // Anchors need not be ids of messages.
    const nth = typeof range.anchor === "string" ? 0 : range.anchor.nth;
    const numbered = model.messages.length === 0 ? nth : messageAt(model, nth).id + (nth % 3) - 1;
    const anchor = typeof range.anchor === "string" ? range.anchor : numbered;
    const answer = await real.call(by, "getMessages", {
      anchor,
      include_anchor: range.includeAnchor,
      num_before: range.before,
      num_after: range.after,
      narrow: sentNarrow(model, narrow),
      ...raw,
    });
    if (!model.active.has(by) || !isPermitted(model, by, narrow)) return expectRefusal(model, by, answer);
    const page = expectSuccess(answer) as unknown as Page;
    const expected = pageOf(matching(model, by, narrow), by, { ...range, anchor });
    const { found_anchor, found_newest, found_oldest } = page;
    expect({ ids: idsOf(page), found_anchor, found_newest, found_oldest }).toEqual({
      ids: expected.ids,
      found_anchor: expected.found_anchor,
      found_newest: expected.found_newest,
      found_oldest: expected.found_oldest,
    });
    if (expected.anchor !== undefined) expect(page.anchor).toBe(expected.anchor);
    expectShown(model, by, page);
  });
}

/** Walks page by page from one end to the other. */
export function walk(given: {
  readonly by: Person;
  readonly narrow: ModelNarrow;
  readonly size: number;
  readonly towards: "newest" | "oldest";
}): ChatCommand {
  return command("walk", given, async (model, real) => {
    const { by, narrow } = given;
    if (!model.active.has(by) || !isPermitted(model, by, narrow)) return;
    const found = await walkAll(model, real, given);
    const expected = matching(model, by, narrow).map(({ id }) => id);
    expect(found).toEqual(given.towards === "newest" ? expected : expected.reverse());
  });
}

async function walkAll(model: ChatModel, real: Session, given: Parameters<typeof walk>[0]): Promise<number[]> {
  const { by, narrow, size, towards } = given;
  const forwards = towards === "newest";
  const found: number[] = [];
  for (let pages = 0; pages <= model.messages.length; pages++) {
    const answer = await real.call(by, "getMessages", {
      anchor: found.at(-1) ?? (forwards ? "oldest" : "newest"),
      include_anchor: false,
      num_before: forwards ? 0 : size,
      num_after: forwards ? size : 0,
      narrow: sentNarrow(model, narrow),
      ...raw,
    });
    const page = expectSuccess(answer) as unknown as Page;
    const ids = idsOf(page);
    found.push(...(forwards ? ids : ids.reverse()));
    // An empty page does not include the last message, which was on the previous page.
    if ((forwards ? page.found_newest : page.found_oldest) || ids.length === 0) return found;
  }
  throw new Error("the walk does not end");
}

/** Requests all existing messages and some missing ones. */
export function readIds(given: { readonly by: Person; readonly narrow: ModelNarrow }): ChatCommand {
  const { by, narrow } = given;
  return command("readIds", given, async (model, real) => {
    const ids = model.messages.map(({ id }) => id);
    const answer = await real.call(by, "getMessages", {
      message_ids: [...ids, (ids.at(-1) ?? 0) + 1_000_000, ...ids.slice(0, 2)],
      narrow: sentNarrow(model, narrow),
      ...raw,
    });
    if (!model.active.has(by) || !isPermitted(model, by, narrow)) return expectRefusal(model, by, answer);
    const page = expectSuccess(answer) as unknown as Page;
    expect(page.anchor).toBeUndefined();
    expect(idsOf(page)).toEqual(
      model.messages.filter((message) => isShown(model, by, narrow, message)).map(({ id }) => id),
    );
    expectShown(model, by, page);
  });
}

/** Checks that nobody types in a message that they cannot read. */
export function probe(given: { readonly by: Person; readonly nth: number }): ChatCommand {
  const { by, nth } = given;
  return command(
    "probe",
    given,
    async (model, real) => {
      const message = messageAt(model, nth);
      const answer = await real.call(by, "setEditTypingStatus", { message_id: message.id, op: "start" });
      if (!model.active.has(by) || !canRead(model, by, message)) return expectRefusal(model, by, answer);
      // The requirements say only that typing needs a readable message.
      expect([200, 400]).toContain(answer.status);
    },
    hasMessages,
  );
}

function idsOf({ messages }: Page): number[] {
  return messages.map(({ id }) => id);
}

/** Compares each message in the response with the model. */
function expectShown(model: ChatModel, by: Person, { messages }: Page): void {
  for (const shown of messages) {
    const message = model.messages.find(({ id }) => id === shown.id);
    if (message === undefined) throw new Error(`message ${shown.id} was never sent`);
    const place = placeOf(model, message.place);
    expect(shown).toMatchObject({ ...place, content: message.content, content_type: "text/x-markdown" });
    if (message.sender !== "notification bot") expect(shown.sender_id).toBe(model.userIds[message.sender]);
    expect(shown.flags.includes("read")).toBe(message.received.get(by) !== false);
    expectHistory(model, message, shown);
  }
}

function placeOf(model: ChatModel, place: Place): object {
  if (place.kind === "channel") {
    return { topic: place.topic, stream_id: model.channels[place.channel].id, display_recipient: place.channel };
  }
  const ids = place.people.map((person) => model.userIds[person]).sort((one, other) => one - other);
  return { display_recipient: ids.map((id) => expect.objectContaining({ id })) };
}

/** Expects that the history matches the model, and that reverting it from the newest entry leads back to the sent message. */
function expectHistory(model: ChatModel, message: ModelMessage, shown: Shown): void {
  const history = shown.edit_history ?? [];
  expect(shown.edit_history?.length).not.toBe(0);
  const times = history.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort((one, other) => other - one));
  for (const entry of history) {
    expect(entry.prev_rendered_content === undefined).toBe(entry.prev_content === undefined);
  }
  expect(history.map(({ timestamp: _, prev_rendered_content: __, ...entry }) => entry)).toEqual(
    [...message.edits].reverse(),
  );

  const { original } = message;
  const undone = history.reduce(
    (state, entry) => {
      if (entry.topic !== undefined) expect(entry.topic).toBe(state.topic);
      if (entry.stream !== undefined) expect(entry.stream).toBe(state.stream);
      return {
        content: entry.prev_content ?? state.content,
        topic: entry.prev_topic ?? state.topic,
        stream: entry.prev_stream ?? state.stream,
      };
    },
    { content: shown.content, topic: shown.topic, stream: shown.stream_id },
  );
  expect(undone.content).toBe(original.content);
  if (original.place.kind === "channel") {
    expect(undone).toMatchObject({
      topic: original.place.topic,
      stream: model.channels[original.place.channel].id,
    });
  }
  expect(shown.last_edit_timestamp !== undefined).toBe(message.edits.some((one) => one.prev_content !== undefined));
  if (message.moved !== "perhaps") expect(shown.last_moved_timestamp !== undefined).toBe(message.moved === "yes");
}
