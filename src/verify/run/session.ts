import type { CallStep, ServeStep } from "../../contract/check.js";
import type { ImpliedRules } from "../../contract/rest/implied-rules.js";
import type { ContractProblem } from "../../judge/content-problems.js";
import type { Departure } from "../../judge/departures.js";
import type { Scope } from "../../judge/expressions.js";
import type { Exchange as ReportedExchange } from "../../report/model/check-result.js";
import type { LostRequest } from "./lost-request.js";

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

/** A response to a call. */
export interface Exchange {
  /** The URL of the request. Undefined if it has none. */
  readonly url?: string;
  /** The HTTP status; of an RPC, `ok`, the code of its error, `malformed`, `too-large`, `timeout` or `unreachable`. */
  readonly status: number | string;
  /** The path of the request. */
  readonly path: string;
  /** The URL and body of the request, as text. */
  readonly request: string;
  /** The decoded body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
  /** Whether it is an error that the contract allows as a refusal. */
  readonly isRefusal: boolean;
  /** Further values, to which matchers refer as `$exchange.<name>`. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Why there is nothing to judge but what claims say of the status. */
  readonly unusable?: {
    readonly reason: string;
    readonly help?: string;
    readonly isAnswered: boolean;
    /** The request, if there was no response. */
    readonly lost?: LostRequest;
  };
  /** Why the response shows nothing; for a response that deviates from recommendations, also why it says nothing about them. */
  readonly excuse?: (about: { readonly deviates: boolean }) => Promise<string | undefined>;
  /** Why no check can use the response, as a sentence. */
  readonly fault?: string;
  /** What the contract forbids in it, whatever was sent. */
  readonly contractProblems: () => readonly ContractProblem[];
  /** The rules of the called operation that nobody wrote. Undefined if the contract has none of them. */
  readonly implied?: ImpliedRules;
  /** How it departs from these although the contract allows it. */
  readonly departure?: () => Departure | undefined;
  /** Values of the request that the server may not have. Undefined if there are none. */
  readonly unsure?: Unsure;
}

/**
 * The parameters of a path whose values the server may not have, by how they came about: made up, named by the document, or listed by an
 * earlier response. Each by the name under which a user gives another value.
 */
export interface Unsure {
  readonly madeUp: readonly string[];
  readonly named: readonly string[];
  readonly listed: readonly string[];
}

/** A check can show nothing on this server. The message gives the reason. */
export class NotApplicableError extends Error {
  override readonly name = "NotApplicableError";
}
