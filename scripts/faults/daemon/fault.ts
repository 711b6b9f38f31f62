import type { DaemonBehaviour } from "./behaviour.js";

/** The families of faults, in the order of `docs/faults.md`. */
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

/** A wrong behaviour of a daemon that `accord verify` must report. */
export interface DaemonFault {
  /** Unique; in kebab case. */
  readonly name: string;
  readonly family: DaemonFamily;
  /** A predicate whose subject is the daemon: "lacks SelectNode". */
  readonly summary: string;
  /** The rules that it breaks, all of which must be reported. */
  readonly breaks: readonly string[];
  /** The checks that should notice it, in the format of `--only`. Its verification runs only these. */
  readonly checkedBy: readonly string[];
  readonly behaviour: DaemonBehaviour;
}
