/** The measurements of a service. */
export interface MeasuredService {
  /** Names of tools. */
  readonly tools: readonly string[];
  readonly faults: readonly MeasuredFault[];
  readonly variations: readonly MeasuredBehaviour[];
}

/** A behaviour and the tools that reported it. */
export interface MeasuredBehaviour {
  readonly name: string;
  /** A predicate whose subject is the server: "answers 500". */
  readonly summary: string;
  /** Names of tools. */
  readonly reportedBy: readonly string[];
}

/** A fault, with the family that it belongs to. */
export interface MeasuredFault extends MeasuredBehaviour {
  readonly family: string;
}
