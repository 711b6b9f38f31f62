import type { DaemonBehaviour } from "./behaviour.js";

/** The families of faults, in the order of `docs/faults.md`. */
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

/** A wrong behaviour of a daemon that `accord verify` must report. */
export interface DaemonFault {
  /** Unique; in kebab case. */
  readonly name: string;
  readonly family: DaemonFamily;
  /** A predicate whose subject is the daemon: "lacks SelectNode". */
  readonly summary: string;
  /** The rules that it breaks, all of which must be reported. Empty if no rule covers it. */
  readonly breaks: readonly string[];
  /** What it contradicts if no rule covers it: a heading of the requirements, or a point of `docs/open-questions.md`. */
  readonly contradicts?: string;
  /** No check notices it yet. A test asserts that, so that the mark is removed as soon as one does. */
  readonly missed?: true;
  /** The checks that should notice it, in the format of `--only`. Its verification runs only these. */
  readonly checkedBy: readonly string[];
  readonly behaviour: DaemonBehaviour;
}

/** The expected verdict of a verification on a fault. */
export type DaemonDetection = Pick<DaemonFault, "breaks" | "contradicts" | "missed" | "checkedBy">;

/** The verdict on a fault that a check notices: the check fails, and reports these rules as broken. */
export function caught(check: string, ...breaks: readonly string[]): DaemonDetection {
  return { breaks, checkedBy: [check] };
}

/** Cases without secrets, which run in a moment. */
const quickCases = [
  "case preview-",
  "case apply-",
  "case select-",
  "case login-",
  "case fetch-again",
  "case fetch-with",
];

/** The verdict on a fault that no check notices yet. `contradicts` is what the fault contradicts. */
export function missed(contradicts: string): DaemonDetection {
  return { breaks: [], contradicts, missed: true, checkedBy: quickCases };
}
