import type { DaemonBehaviour } from "./behaviour.js";

/** A behaviour that differs from the reference and keeps the contract, so `accord verify` must not report it. */
export interface DaemonVariation {
  /** Unique; in kebab case. */
  readonly name: string;
  /** A predicate whose subject is the daemon: "numbers nodes from 0". */
  readonly summary: string;
  readonly behaviour: DaemonBehaviour;
}
