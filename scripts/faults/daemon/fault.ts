import type { DaemonBehaviour } from "./behaviour.js";

/** What a fault is about, in the order in which faults are listed. */
export const daemonFamilies = [
  "calls",
  "wire format",
  "replies",
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
  /** Rules that it breaks: all of them have to be reported. */
  readonly breaks: readonly string[];
  /** What a verification is confined to so that it is quick: beginnings of names as `--only` takes them. */
  readonly looksAt: readonly string[];
  readonly behaviour: DaemonBehaviour;
}
