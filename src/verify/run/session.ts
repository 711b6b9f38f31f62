import type { CallStep, ServeStep } from "../../contract/check.js";
import type { Exchange } from "../../judge/exchange.js";
import type { Scope } from "../../judge/expressions.js";
import type { ReportedExchange } from "../../report/model/check-result.js";

/** The server under test, as a runner of checks sees it. Each check has a session of its own. */
export interface Session {
  /** Whether the server has provider states. */
  readonly hasStates: boolean;
  /** Whether the server has a newer feature level than the contract. Defaults to false. */
  readonly isNewer?: boolean;
  /** Sets up a provider state in the organization of the check. Rejects with a `StateSetupError`. */
  readonly setUp: (state: StateToSetUp) => Promise<SetUpState>;
  /** Starts a host, and returns the values that later steps refer to. Undefined if the server fetches from no host. */
  readonly serve?: (step: ServeStep) => Promise<Readonly<Record<string, unknown>>>;
  /** A session in the same organization, with a trace of its own that begins with the set-ups. */
  readonly fork: () => Session;
  /** Whether a request may have changed something. */
  readonly mayHaveChanged: () => boolean;
  /** Makes a call. Rejects with a `NoAnswerError`, a `MissingValueError` or a `NotApplicableError`. */
  readonly call: (step: CallStep, scope: Scope) => Promise<Exchange>;
  /** Sends a request up to this many bytes of its body, then cuts the connection. Rejects like `call`. Undefined if it cannot. */
  readonly cut?: (step: CallStep, scope: Scope, bytes: number) => Promise<void>;
  /** Whether a setup that failed with this status says that the server does not have the state. */
  readonly lacks: (state: string, status: number) => Promise<boolean>;
  /** What a handler of a provider state must return. */
  readonly helpFor: (state: string, params: object) => Promise<string>;
  /** Replaces everything secret that the session knows so far with `***`. */
  readonly mask: (text: string) => string;
  /** How many requests the trace has so far. */
  readonly requests: () => number;
  /** The requests and responses so far, in order. */
  readonly trace: () => Promise<readonly ReportedExchange[]>;
  /** Ends what the session has started. */
  readonly close?: () => Promise<void>;
}

/** A provider state to set up. */
export interface StateToSetUp {
  readonly state: string;
  readonly params: object;
  /** The organization to add to. `own` is that of the check, `new` one that is not the check's. */
  readonly organization: "own" | "new" | { readonly name: string };
}

/** The values that a provider state returned, with `organization` and `credentials`. */
export type SetUpState = Readonly<Record<string, unknown>>;

/** A check can show nothing on this server. The message gives the reason. */
export class NotApplicableError extends Error {
  override readonly name = "NotApplicableError";
}
