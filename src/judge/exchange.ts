import type { ImpliedRules } from "../contract/rest/implied-rules.js";
import type { ContractProblem } from "./content-problems.js";
import type { Departure } from "./departures.js";

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
  /** The implied rules of the called operation. Undefined if the contract has none. */
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

/** A request without a response, which ended a check. */
export interface LostRequest {
  readonly kind: NoAnswerKind;
  /** Such as `POST /pets`. */
  readonly request: string;
  /** The operation; undefined for a request that none describes. */
  readonly operation?: string;
  /** Whether the server ended before it had read the request. Defaults to false. */
  readonly isUnread?: boolean;
  /** The rules that are broken if the request is to blame. */
  readonly rules: readonly string[];
}

/**
 * Why there was no response: no connection could be made, the server closed it after the request was sent, what it sent is no response, the
 * time limit ran out, it kept answering 429, or a gateway in front of it answered instead.
 */
export type NoAnswerKind = "unreachable" | "dropped" | "unreadable" | "timeout" | "busy" | "gateway";
