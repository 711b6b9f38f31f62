/** What was measured of a service. */
export interface MeasuredService {
  /** The names of the tools. */
  readonly tools: readonly string[];
  readonly faults: readonly MeasuredFault[];
  readonly variations: readonly MeasuredBehaviour[];
}

/** A behaviour, and what has reported it. */
export interface MeasuredBehaviour {
  readonly name: string;
  /** A phrase without a subject. */
  readonly summary: string;
  /** The names of the tools. */
  readonly reportedBy: readonly string[];
}

/** A fault among others of its kind. */
export interface MeasuredFault extends MeasuredBehaviour {
  readonly family: string;
}
