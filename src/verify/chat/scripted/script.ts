import type { Kind, ServerUnderTest } from "./server-under-test.js";

/** A workflow that code runs, because Respect can neither compare bytes, nor send headers at will, nor send requests concurrently. */
export interface Script {
  readonly workflowId: string;
  /** What it shows, as a sentence. */
  readonly summary: string;
  /** The kinds of rules that it shows. */
  readonly kinds: readonly Kind[];
  /** The optional provider states that it sets up. Defaults to none. */
  readonly states?: readonly string[];
  /** Runs it. Throws a `NotShownError` if it can show nothing on this server. */
  readonly run: (server: ServerUnderTest) => Promise<readonly ScriptProblem[]>;
}

/** A problem, and the kind of the rules that it breaks. */
export interface ScriptProblem {
  readonly kind: Kind;
  readonly text: string;
}
