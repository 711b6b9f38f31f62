/** The measurements of a service. */
export interface MeasuredService {
  /** Names of tools. */
  readonly tools: readonly string[];
  readonly faults: readonly MeasuredFault[];
  readonly variations: readonly MeasuredBehaviour[];
}

/** The verdicts on a behaviour, by the name of the tool. */
export interface Verdict {
  readonly reportedBy: readonly string[];
  /** The tools that have not been run on it. Defaults to none. */
  readonly unmeasuredBy?: readonly string[];
}

/** A behaviour and the tools that reported it. */
export interface MeasuredBehaviour extends Verdict {
  readonly name: string;
  /** A predicate whose subject is the server: "answers 500". */
  readonly summary: string;
}

/** A fault, with the family that it belongs to. */
export interface MeasuredFault extends MeasuredBehaviour {
  readonly family: string;
}
