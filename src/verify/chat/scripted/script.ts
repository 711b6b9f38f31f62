import type { ShownBy } from "../../../contract/chat/rules.js";
import type { Stage } from "./stage.js";

/** A kind of derived check. */
export type Kind = ShownBy["kind"];

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
  readonly run: (stage: Stage) => Promise<readonly ScriptProblem[]>;
}

/** A problem, and the kind of the rules that it breaks. */
export interface ScriptProblem {
  readonly kind: Kind;
  readonly text: string;
}

/** Thrown if a script can show nothing on this server. The message gives the reason. */
export class NotShownError extends Error {
  override readonly name = "NotShownError";
}
