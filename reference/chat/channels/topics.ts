import type { LevelBehaviour } from "../level-behaviour.js";
import { isLongerThan, maxTopicLength } from "../limits.js";
import { badRequest } from "../refusals.js";
import type { Realm } from "../storage/tables.js";

type TopicSettings = Pick<Realm, "topics_required" | "empty_topic_display_name">;

/** No text of a topic can hold these: control characters, halves of surrogate pairs, and line separators. */
const unfit = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}]/u;

/** Whether two topics are the same: compared without regard to the case of ASCII letters, as the database compares them. */
export function isSameTopic(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other);
}

/**
 * The topic that a `topic` parameter names: white space around it does not count, and the empty-topic display name of the
 * organization is the empty topic. Throws a refusal when there can be no such topic.
 *
 * Rules: "Edit a message" and "Topic muting", `topic`; Limits.
 */
export function topicNamed(
  written: string,
  realm: TopicSettings,
  { emptyTopics }: Pick<LevelBehaviour, "emptyTopics">,
): string {
  const topic = plainTopic(written.trim(), realm, emptyTopics);
  if (unfit.test(topic)) throw badRequest("Invalid character in topic");
  if (isLongerThan(topic, maxTopicLength)) {
    throw badRequest(`Topic is longer than ${maxTopicLength} characters`);
  }
  if (topic === "" && !emptyTopics) throw badRequest("Topic can't be empty");
  return topic;
}

/**
 * Throws a refusal when messages cannot be moved to a topic that `topicNamed` has given.
 *
 * Rules: "Edit a message", `topic`; "States and transitions", the empty topic cannot be resolved.
 */
export function checkMovable(
  topic: string,
  realm: TopicSettings,
  { emptyTopics }: Pick<LevelBehaviour, "emptyTopics">,
): void {
  if (realm.topics_required === 1 && (topic === "" || isSameTopic(topic, "(no topic)"))) {
    throw badRequest("Topics are required in this organization");
  }
  if (isResolvedEmptyTopic(topic, realm, emptyTopics)) throw badRequest("The empty topic cannot be resolved");
}

/** The topic that a text names, where any text may: the empty-topic display name is the empty topic, from level 334 on. */
export function plainTopic(
  topic: string,
  realm: Pick<Realm, "empty_topic_display_name">,
  emptyTopics: boolean,
): string {
  return emptyTopics && isSameTopic(topic, realm.empty_topic_display_name) ? "" : topic;
}

/** The check mark without a topic after it, or before the name that the empty topic is displayed by. */
function isResolvedEmptyTopic(topic: string, realm: TopicSettings, emptyTopics: boolean): boolean {
  if (topic === resolvedPrefix.trim()) return true;
  return topic.startsWith(resolvedPrefix) && plainTopic(topic.slice(resolvedPrefix.length), realm, emptyTopics) === "";
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What the name of a resolved topic begins with (States and transitions). */
export const resolvedPrefix = "✔ ";

/** What a new name of a topic does to its check mark. */
export type MarkChange = "resolve" | "unresolve" | "none";

/** How the check mark of a topic changes with its name. */
export function markChange(from: string, to: string): MarkChange {
  if (isResolved(from) === isResolved(to)) return "none";
  return isResolved(to) ? "resolve" : "unresolve";
}

/** Whether two names of a topic differ in the check mark alone. */
export function differsInMarkOnly(from: string, to: string): boolean {
  return markChange(from, to) !== "none" && withoutMark(from) === withoutMark(to);
}

function isResolved(topic: string): boolean {
  return topic.startsWith(resolvedPrefix);
}

function withoutMark(topic: string): string {
  return isResolved(topic) ? topic.slice(resolvedPrefix.length) : topic;
}
