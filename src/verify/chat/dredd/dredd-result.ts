import type { Exchange } from "../../check.js";

/** What the hooks tell the process that has started Dredd. */
export type DreddMessage =
  /** The proof that the hooks ran. */
  | { readonly kind: "hooks-ran" }
  | { readonly kind: "started"; readonly key: string }
  /** The server wants to be left alone for a while. */
  | { readonly kind: "waiting"; readonly ms: number }
  | { readonly kind: "result"; readonly key: string; readonly result: DreddResult; readonly durationMs: number };

/** What came of a case. Everything is masked. */
export type DreddResult =
  | { readonly kind: "passed" }
  /** What Dredd found, and what the comparison of this package found, a sentence each. */
  | {
      readonly kind: "failed";
      readonly dredd: readonly string[];
      readonly compared: readonly string[];
      /** Whether the server let a request through that it has to refuse. Left out: no. */
      readonly letThrough?: boolean;
      readonly trace: readonly Exchange[];
    }
  | { readonly kind: "skipped"; readonly reason: string }
  | {
      readonly kind: "errored";
      readonly reason: string;
      readonly help?: string;
      readonly trace: readonly Exchange[];
      /** Whether it was the server that gave no answer. */
      readonly isUnanswered?: boolean;
    };
