import type { Bytes, Caller } from "../../contract/check.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import type { Exchange } from "../../judge/exchange.js";
import type { SetUpState } from "./session.js";

/** A check in code, for what the steps of a workflow cannot say. */
export interface CodeCheck {
  /** Unique and stable, such as `workflow uploads-tus-resume`. */
  readonly id: string;
  /** The resource that it is about. */
  readonly operation: string;
  /** What it shows, as a sentence. */
  readonly summary: string;
  /** The rules that it shows. It applies to the feature levels that have all of them. */
  readonly rules: readonly string[];
  /**
   * The operations that it calls, besides those that its rules are about; if they depend on the feature level, a function of the contract
   * as of a level. If the server lacks one, the check is skipped.
   */
  readonly calls?: readonly string[] | ((contract: ContractDocument, level: number) => readonly string[]);
  /** The recommendations that it relies on. */
  readonly reliesOn?: readonly string[];
  /** Reports what is wrong with `fail`. */
  readonly run: (server: CheckedServer) => Promise<void>;
}

/** How a check in code says what it found. */
export interface Verdicts {
  /** Reports a problem, and the rules that it breaks; all of the check if none is named. */
  readonly fail: (problem: string, ...rules: readonly string[]) => void;
  /** Says why the responses do not show these rules; all of the check if none is named. */
  readonly hide: (reason: string, ...rules: readonly string[]) => void;
  /** Ends the check, which shows nothing on this server. */
  readonly skip: (reason: string) => never;
}

/** The server that a check in code calls, and the contract that it should keep. */
export interface CheckedServer extends Verdicts {
  /** The URL of the server, without the path of the API. */
  readonly url: string;
  /** The contract as of a feature level, and that level. */
  readonly contract: ContractDocument;
  readonly level: number;
  /** Ends the check. */
  readonly signal: AbortSignal;
  /** Sets up a provider state in the organization of the check. The first one creates it. Returns its values. */
  readonly setUp: (state: string, params?: object) => Promise<SetUpState>;
  /** Like `setUp`, but resolves to undefined if the server refuses the state. */
  readonly setUpIfPossible: (state: string, params?: object) => Promise<SetUpState | undefined>;
  /** Sends a request. Skips the check if its URL is at another origin than the API. */
  readonly send: (request: RawRequest) => Promise<HttpExchange>;
  /** Sends a request up to this many bytes of its body, then cuts the connection. */
  readonly cut: (request: RawRequest, bytes: number) => Promise<void>;
}

/** A response over HTTP. */
export interface HttpExchange extends Exchange {
  readonly url: string;
  readonly status: number;
}

/** A request of a check in code. */
export interface RawRequest {
  readonly method: string;
  /** Resolved against the URL of the server. */
  readonly url: string;
  /** The caller whose credentials are sent. Defaults to `nobody`. */
  readonly as?: Caller;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes;
}

/** Defines a check in code. A file in the folder `checks` of a contract exports one. */
export function defineCheck(check: CodeCheck): CodeCheck {
  return check;
}
