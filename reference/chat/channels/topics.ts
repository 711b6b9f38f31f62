import type { LevelBehaviour } from "../level-behaviour.js";
import { isLongerThan, maxTopicLength } from "../limits.js";
import { badRequest } from "../refusals.js";
import { keyOf } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";

type TopicSettings = Pick<Realm, "topics_required" | "empty_topic_display_name">;

/** Characters that a topic must not contain: control characters, lone surrogates and line separators. */
const invalidCharacters = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]/u;

/** Whether two topics are the same, ignoring the case of ASCII letters, as the database does. */
export function isSameTopic(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

/**
 * Reads a `topic` parameter: trims white space, and maps the organization's display name of the empty topic to the empty topic.
 * Throws a refusal if the topic is invalid.
 *
 * Rules: "Edit a message" and "Topic muting", `topic`; Limits.
 */
export function readTopic(
  written: string,
  realm: TopicSettings,
  { emptyTopics }: Pick<LevelBehaviour, "emptyTopics">,
): string {
  const topic = normalizeTopic(written.trim(), realm, emptyTopics);
  if (invalidCharacters.test(topic)) throw badRequest("Invalid character in topic");
  if (isLongerThan(topic, maxTopicLength)) {
    throw badRequest(`Topic is longer than ${maxTopicLength} characters`);
  }
  if (topic === "" && !emptyTopics) throw badRequest("Topic can't be empty");
  return topic;
}

/**
 * Throws a refusal if messages cannot be moved to a topic that `readTopic` returned.
 *
 * Rules: "Edit a message", `topic`; "States and transitions", the empty topic cannot be resolved.
 */
export function checkMoveTarget(
  topic: string,
  realm: TopicSettings,
  { emptyTopics }: Pick<LevelBehaviour, "emptyTopics">,
): void {
  if (realm.topics_required && (topic === "" || isSameTopic(topic, "(no topic)"))) {
    throw badRequest("Topics are required in this organization");
  }
  if (isResolvedEmptyTopic(topic, realm, emptyTopics)) throw badRequest("The empty topic cannot be resolved");
}

/** Maps the display name of the empty topic to the empty topic (level 334); returns any other topic unchanged. */
export function normalizeTopic(
  topic: string,
  realm: Pick<Realm, "empty_topic_display_name">,
  emptyTopics: boolean,
): string {
  return emptyTopics && isSameTopic(topic, realm.empty_topic_display_name) ? "" : topic;
}

/** Whether a topic is the check mark alone, or the check mark before the display name of the empty topic. */
function isResolvedEmptyTopic(topic: string, realm: TopicSettings, emptyTopics: boolean): boolean {
  if (topic === resolvedPrefix.trim()) return true;
  return (
    topic.startsWith(resolvedPrefix) && normalizeTopic(topic.slice(resolvedPrefix.length), realm, emptyTopics) === ""
  );
}

/** Prefix of a resolved topic (States and transitions). */
export const resolvedPrefix = "✔ ";

/** How renaming a topic changes its check mark. */
export type MarkChange = "resolve" | "unresolve" | "none";

/** Compares the check marks of an old and a new topic name. */
export function markChange(from: string, to: string): MarkChange {
  if (isResolved(from) === isResolved(to)) return "none";
  return isResolved(to) ? "resolve" : "unresolve";
}

/** Whether two topic names differ only in the check mark. */
export function differsInMarkOnly(from: string, to: string): boolean {
  return markChange(from, to) !== "none" && withoutMark(from) === withoutMark(to);
}

function isResolved(topic: string): boolean {
  return topic.startsWith(resolvedPrefix);
}

function withoutMark(topic: string): string {
  return isResolved(topic) ? topic.slice(resolvedPrefix.length) : topic;
}
