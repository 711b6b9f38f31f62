import type { DaemonBehaviour } from "./behaviour.js";

/** What a fault is about, in the order in which faults are listed. */
export const daemonFamilies = [
  "calls",
  "wire format",
  "replies",
  "previews",
  "subscription content",
  "fetching",
  "imports",
  "selections",
  "persistence",
  "malformed answers",
  "redaction in messages",
  "redaction elsewhere",
] as const;

export type DaemonFamily = (typeof daemonFamilies)[number];

/** A wrong behaviour of a daemon that a verification has to notice. */
export interface DaemonFault {
  /** Unique; in kebab case. */
  readonly name: string;
  readonly family: DaemonFamily;
  /** What the daemon does wrong, in a phrase without a subject. */
  readonly summary: string;
  /** Rules that it breaks: all of them have to be reported. Empty if no rule covers it. */
  readonly breaks: readonly string[];
  /** What it contradicts if no rule covers it: a heading of the requirements, or a point of `docs/open-questions.md`. */
  readonly contradicts?: string;
  /** No check notices it yet. A test asserts that, so that the mark is removed as soon as one does. */
  readonly missed?: true;
  /** What a verification is confined to so that it is quick: beginnings of names as `--only` takes them. Empty if it is missed, which
   * takes every check to show. */
  readonly looksAt: readonly string[];
  readonly behaviour: DaemonBehaviour;
}

/** What a verification shows of a fault. */
export type DaemonDetection = Pick<DaemonFault, "breaks" | "contradicts" | "missed" | "looksAt">;

/** The detection of a fault that no check notices yet, with what the fault contradicts. */
export function missed(contradicts: string): DaemonDetection {
  return { breaks: [], contradicts, missed: true, looksAt: [] };
}
