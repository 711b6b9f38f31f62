import type { AbsentKeyword, Resolve } from "../direction.js";
import type { Node } from "./flatten.js";

/** What a sample is for. */
export interface SampleOptions {
  /** Finds what references of the schemas name. */
  readonly resolve: Resolve;
  /** Whether a value fits a schema of the document. It decides between alternatives. */
  readonly fits: (schema: Node, value: unknown) => boolean;
  /** The keyword of what a sample does not have. */
  readonly absent: AbsentKeyword;
  /** Whether a sample has what is not required. */
  readonly isFull: boolean;
}
