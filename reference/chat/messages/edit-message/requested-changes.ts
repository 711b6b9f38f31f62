import { createHash } from "node:crypto";
import type { CallParameters } from "../../../../src/chat/operation-types.js";
import { checkMoveTarget, differsInMarkOnly, readTopic } from "../../channels/topics.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import { isLongerThan, maxMessageLength } from "../../limits.js";
import { badRequest } from "../../refusals.js";
import type { Message, Realm } from "../../storage/tables.js";

/** Which messages of a topic are moved. */
export type PropagateMode = "change_one" | "change_later" | "change_all";

/** A move of messages of one topic to another topic, another channel, or both. */
export interface Move {
  readonly fromChannelId: number;
  readonly fromTopic: string;
  readonly toChannelId: number;
  readonly toTopic: string;
  readonly mode: PropagateMode;
  readonly changesChannel: boolean;
  /** The topic gets another name, which may differ only in letter case. */
  readonly changesTopic: boolean;
  /** The whole topic is resolved or unresolved, and nothing else changes. */
  readonly isResolution: boolean;
}

/** The changes of an edit; at least one of them is set. */
export interface RequestedChanges {
  /** The new raw Markdown, if it differs from the stored one. */
  readonly content: string | undefined;
  readonly move: Move | undefined;
}

type Target = Pick<Message, "channel_id" | "topic" | "content">;

/**
 * Reads the changes that a request makes to a message. Throws a refusal if its parameters conflict, are too long, or change
 * nothing.
 *
 * Rules: "Edit a message", the table of the request and rule 1.
 */
export function requestedChanges(
  parameters: CallParameters<"editMessage">,
  target: Target,
  realm: Pick<Realm, "topics_required" | "empty_topic_display_name">,
  behaviour: Pick<LevelBehaviour, "emptyTopics">,
): RequestedChanges {
  const { topic, stream_id: channelId, propagate_mode: mode = "change_one" } = parameters;
  if (target.channel_id === null) {
    if (topic !== undefined) throw badRequest("Direct messages cannot have topics");
    if (channelId !== undefined) throw badRequest("Direct messages cannot be moved to channels");
  }
  if (parameters.content !== undefined && channelId !== undefined) {
    throw badRequest("Cannot change message content while changing channel");
  }
  const content = readNewContent(parameters.content, target.content);
  const move =
    target.channel_id === null
      ? undefined
      : toMove({
          fromChannelId: target.channel_id,
          fromTopic: target.topic,
          toChannelId: channelId ?? target.channel_id,
          toTopic: topic === undefined ? target.topic : readMoveTarget(topic, realm, behaviour),
          mode,
        });
  if (move === undefined && parameters.content !== undefined && mode !== "change_one") {
    throw badRequest("Invalid propagate_mode without topic edit");
  }
  if (content === undefined && move === undefined) throw badRequest("Nothing to change");
  return { content, move };
}

function readMoveTarget(
  written: string,
  realm: Pick<Realm, "topics_required" | "empty_topic_display_name">,
  behaviour: Pick<LevelBehaviour, "emptyTopics">,
): string {
  const topic = readTopic(written, realm, behaviour);
  checkMoveTarget(topic, realm, behaviour);
  return topic;
}

function readNewContent(written: string | undefined, stored: string): string | undefined {
  if (written === undefined) return undefined;
  if (isLongerThan(written, maxMessageLength)) {
    throw badRequest(`Message is longer than ${maxMessageLength} characters`);
  }
  const content = written.trim() === "" ? "(deleted)" : written;
  return content === stored ? undefined : content;
}

function toMove(
  named: Pick<Move, "fromChannelId" | "fromTopic" | "toChannelId" | "toTopic" | "mode">,
): Move | undefined {
  const changesChannel = named.toChannelId !== named.fromChannelId;
  const changesTopic = named.toTopic !== named.fromTopic;
  if (!changesChannel && !changesTopic) return undefined;
  const isResolution =
    !changesChannel && named.mode === "change_all" && differsInMarkOnly(named.fromTopic, named.toTopic);
  return { ...named, changesChannel, changesTopic, isResolution };
}

/**
 * Throws a refusal if a digest does not match the stored content: SHA-256 of the raw Markdown in UTF-8, as hex digits of any
 * case. Does nothing without a digest.
 *
 * Rule: "Edit a message", `prev_content_sha256`.
 */
export function checkPreviousContent(digest: string | undefined, stored: string): void {
  if (digest === undefined) return;
  if (digest.toLowerCase() !== createHash("sha256").update(stored, "utf8").digest("hex")) {
    throw badRequest("'prev_content_sha256' value does not match the expected value");
  }
}
