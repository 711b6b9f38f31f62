/** The parts of a contract that occurred in traffic, and those that never did. */
export interface Coverage {
  /** The number of exchanges, judged or not. */
  readonly exchanges: number;
  readonly sections: readonly CoverageSection[];
  /** Exchanges that were not judged, in whole or in part, by reason. */
  readonly notJudged: readonly { readonly reason: string; readonly count: number }[];
  /**
   * Refusals that no finding explains, by operation, so that a person can check whether the client intended them.
   * Omitted if there are none.
   */
  readonly refusals?: readonly UnexplainedRefusals[];
  /** The responses that the proxy made or changed, by kind of change. */
  readonly provoked: readonly Provoked[];
}

/** The refusals of an operation. */
export interface UnexplainedRefusals {
  readonly operation: string;
  readonly count: number;
  /** The first of them: status, code and message, with secrets masked. */
  readonly first: string;
}

/** The items of one kind, such as operations. */
export interface CoverageSection {
  /** The plural noun for the items, such as `operations`. */
  readonly title: string;
  readonly items: readonly CoverageItem[];
}

/** Something that traffic can show. */
export interface CoverageItem {
  readonly name: string;
  /** The operation that it belongs to, if it is a part of one. */
  readonly operation?: string;
  /** In how many exchanges it occurred. */
  readonly count: number;
}

/** How clients reacted to one kind of response that the proxy provoked. */
export interface Provoked {
  /** The name of the provocation, such as `rate-limit`. */
  readonly name: string;
  readonly count: number;
  /** How often the client sent the same request next. */
  readonly repeated: number;
  /** How often it sent another request next. */
  readonly wentOn: number;
  /** How often it sent nothing more. */
  readonly stopped: number;
}
