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
