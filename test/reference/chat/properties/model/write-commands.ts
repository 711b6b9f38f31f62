import { createHash } from "node:crypto";
import { expect } from "vitest";
import {
  type ChannelName,
  type ChatModel,
  canAccess,
  deliver,
  isAdministrator,
  linkedUploads,
  type Person,
  type Place,
} from "./chat-model.js";
import { type ChatCommand, command, expectRefusal, expectSuccess, hasMessages, messageAt } from "./command.js";
import { applyEdit, type EditEffect, type EditRequest, judgeEdit } from "./edit-rules.js";
import type { Session } from "./session.js";

/** A text of words, with links to some of the uploads of its author. */
export interface Text {
  readonly words: readonly string[];
  /** Indexes of the uploads. */
  readonly linking: readonly number[];
}

export function send(given: {
  readonly from: Person;
  readonly place: Place;
  readonly text: Text;
  readonly readBy: readonly Person[];
}): ChatCommand {
  const { from, text, readBy } = given;
  return command("send", given, async (model, real) => {
    const place: Place =
      given.place.kind === "channel"
        ? given.place
        : { kind: "direct", people: [...new Set([from, ...given.place.people])] };
    const content = contentOf(model, from, text);
    const to = place.kind === "channel" ? { channel: place.channel, topic: place.topic } : { to: place.people };
    const { message_id } = await real.add("message", { from, ...to, content, read_by: readBy });
    const id = Number(message_id);
    expect(id, "ids grow").toBeGreaterThan(model.messages.at(-1)?.id ?? 0);
    deliver(model, { id, sender: from, place, content, links: linkedUploads(model, from, content) }, readBy);
  });
}

export function upload(given: { readonly by: Person }): ChatCommand {
  return command("upload", given, async (model, real) => {
    const { attachment_id, url } = await real.add("attachment", { from: given.by, name: "f.txt" });
    model.uploads.push({ id: Number(attachment_id), owner: given.by, markdown: `[f.txt](${String(url)})` });
  });
}

export function edit(given: {
  /** Who edits. For messages of the bot, `its sender` stands for `member`. */
  readonly by: Person | "its sender";
  readonly nth: number;
  readonly request: Omit<EditRequest, "content"> & { readonly text?: Text };
}): ChatCommand {
  const { nth } = given;
  const { text, ...rest } = given.request;
  return command(
    "edit",
    given,
    async (model, real) => {
      const target = messageAt(model, nth);
      const by = given.by !== "its sender" ? given.by : target.sender === "notification bot" ? "member" : target.sender;
      const request = text === undefined ? rest : { ...rest, content: contentOf(model, by, text) };
      const effect = model.active.has(by) ? judgeEdit(model, by, target, request) : undefined;
      const answer = await real.call(by, "editMessage", sentEdit(model, target, request));
      if (effect === undefined) return expectRefusal(model, by, answer);
      const { detached_uploads: detached } = expectSuccess(answer) as { detached_uploads: { id: number }[] };
      expect(detached.map(({ id }) => id)).toEqual(applyEdit(model, by, target, effect));
      await takeNotices(model, real, by, request, effect);
    },
    hasMessages,
  );
}

function sentEdit(model: ChatModel, target: { readonly id: number; readonly content: string }, request: EditRequest) {
  const { content, digest, topic, channel, mode, notifyOld, notifyNew } = request;
  const digested = digest === "wrong" ? `${target.content}!` : target.content;
  return {
    message_id: target.id,
    ...(content === undefined ? {} : { content }),
    ...(digest === undefined
      ? {}
      : { prev_content_sha256: createHash("sha256").update(digested, "utf8").digest("hex") }),
    ...(topic === undefined ? {} : { topic }),
    ...(channel === undefined ? {} : { stream_id: model.channels[channel].id }),
    ...(mode === undefined ? {} : { propagate_mode: mode }),
    ...(notifyOld === undefined ? {} : { send_notification_to_old_thread: notifyOld }),
    ...(notifyNew === undefined ? {} : { send_notification_to_new_thread: notifyNew }),
  };
}

interface Seen {
  readonly id: number;
  readonly sender_id: number;
  readonly stream_id: number;
  readonly topic: string;
  readonly content: string;
}

/** Adds the automated messages of a move to the model, and expects exactly the requested ones. */
async function takeNotices(model: ChatModel, real: Session, by: Person, request: EditRequest, effect: EditEffect) {
  const { move } = effect;
  const last = model.messages.at(-1)?.id ?? 0;
  const seen: (Seen & { place: Place })[] = [];
  for (const channel of new Set(move === undefined ? [] : [move.from.channel, move.to.channel])) {
    const answer = await real.call("owner", "getMessages", {
      anchor: last,
      include_anchor: false,
      num_before: 0,
      num_after: 10,
      narrow: [{ operator: "channel", operand: channel }],
      apply_markdown: false,
      allow_empty_topic_name: true,
    });
    const { messages } = expectSuccess(answer) as unknown as { messages: Seen[] };
    for (const one of messages) seen.push({ ...one, place: { kind: "channel", channel, topic: one.topic } });
  }
  const senders = seen.map(({ sender_id }) => sender_id);
  expect(
    Object.values(model.userIds).filter((id) => senders.includes(id)),
    "people who send notices",
  ).toEqual([]);
  const at = (spot: { channel: ChannelName; topic: string } | undefined) =>
    seen.filter(
      ({ place }) => place.kind === "channel" && place.channel === spot?.channel && place.topic === spot.topic,
    );
  if (move !== undefined && !move.changesMarkOnly) {
    expect(at(move.from), "notices in the old thread").toHaveLength(request.notifyOld === true ? 1 : 0);
    expect(at(move.to), "notices in the new thread").toHaveLength(request.notifyNew === false ? 0 : 1);
  }
  expect(seen.length - at(move?.from).length - at(move?.to).length, "notices elsewhere").toBe(0);
  for (const { id, place, content } of seen.sort((one, other) => one.id - other.id)) {
    deliver(model, { id, sender: "notification bot", place, content, links: new Set() }, [by]);
  }
}

export function muteUser(given: { readonly by: Person; readonly muted: Person }): ChatCommand {
  const { by, muted } = given;
  return command("muteUser", given, async (model, real) => {
    const answer = await real.call(by, "muteUser", { muted_user_id: model.userIds[muted] });
    const isNew = model.active.has(by) && by !== muted && !model.mutedBy[by].has(muted);
    if (!isNew) return expectRefusal(model, by, answer);
    expectSuccess(answer);
    model.mutedBy[by].add(muted);
    for (const { sender, received } of model.messages) {
      if (sender === muted && received.has(by)) received.set(by, true);
    }
  });
}

export function muteTopic(given: {
  readonly by: Person;
  readonly channel: ChannelName;
  readonly topic: string;
  readonly op: "add" | "remove";
}): ChatCommand {
  const { by, channel, topic, op } = given;
  return command("muteTopic", given, async (model, real) => {
    const { id, subscribers } = model.channels[channel];
    const answer = await real.call(by, "updateMutedTopic", { stream_id: id, topic, op });
    if (!model.active.has(by) || !subscribers.has(by)) return expectRefusal(model, by, answer);
    expectSuccess(answer);
  });
}

export function subscribe(given: { readonly channel: ChannelName; readonly person: Person }): ChatCommand {
  const { channel, person } = given;
  return command("subscribe", given, async (model, real) => {
    await real.add("subscription", { name: channel, subscribers: [person] });
    model.channels[channel].subscribers.add(person);
  });
}

/** The owner stays subscribed, to observe. */
export function unsubscribe(given: {
  readonly by: Exclude<Person, "owner">;
  readonly from: readonly (ChannelName | "nowhere")[];
  readonly other?: Exclude<Person, "owner">;
}): ChatCommand {
  const { by, from, other } = given;
  return command("unsubscribe", given, async (model, real) => {
    const principals = other === undefined ? {} : { principals: [model.userIds[other]] };
    const answer = await real.call(by, "unsubscribe", { subscriptions: from, ...principals });
    const unknown = from.find((name) => name === "nowhere" || !(isAdministrator(by) || canAccess(model, by, name)));
    const mayRemove = other === undefined || other === by || (isAdministrator(by) && model.active.has(other));
    if (!model.active.has(by) || unknown !== undefined || !mayRemove) {
      expectRefusal(model, by, answer);
      if (model.active.has(by) && unknown !== undefined) {
        expect(answer.body).toMatchObject({ code: "STREAM_DOES_NOT_EXIST", stream: unknown });
      }
      return;
    }
    const known = from as readonly ChannelName[];
    const person = other ?? by;
    const was = (name: ChannelName) => model.channels[name].subscribers.has(person);
    expect(sorted(expectSuccess(answer))).toEqual(
      sorted({ removed: known.filter(was), not_removed: known.filter((name) => !was(name)) }),
    );
    for (const name of known) model.channels[name].subscribers.delete(person);
  });
}

function sorted({ removed, not_removed }: { removed?: unknown; not_removed?: unknown }): unknown {
  return [removed, not_removed].map((names) => [...(names as string[])].sort());
}

export function deactivate(given: { readonly by: Exclude<Person, "owner"> }): ChatCommand {
  return command("deactivate", given, async (model, real) => {
    const answer = await real.call(given.by, "deactivateOwnUser", {});
    if (!model.active.has(given.by)) return expectRefusal(model, given.by, answer);
    expectSuccess(answer);
    model.active.delete(given.by);
  });
}

function contentOf(model: ChatModel, author: Person, { words, linking }: Text): string {
  const own = model.uploads.filter(({ owner }) => owner === author);
  const links = own.length === 0 ? [] : linking.map((nth) => own[nth % own.length]?.markdown ?? "");
  return [...words, ...links].join(" ");
}
