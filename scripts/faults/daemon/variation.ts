import type { DaemonBehaviour } from "./behaviour.js";

/** A behaviour other than that of the reference, which the contract leaves open: a verification must not report it. */
export interface DaemonVariation {
  /** Unique; in kebab case. */
  readonly name: string;
  /** What the daemon does otherwise, in a phrase without a subject. */
  readonly summary: string;
  /** A check reports it today. A test asserts that, so that the mark is removed as soon as none does. */
  readonly misjudged?: true;
  readonly behaviour: DaemonBehaviour;
}
