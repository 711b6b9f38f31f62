import type { ContractDocument } from "../../contract/rest/document.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { StatesCatalogue } from "../../contract/rest/states.js";
import type { ResponseValidators } from "../../contract/rest/validator.js";
import type { HttpRequest, HttpResponse, ReceivedResponse } from "../../judge/http-message.js";
import type { RequestAbout } from "../http/no-answer-error.js";
import type { ReadyRequest, SendLimits } from "../http/send-request.js";
import type { Creations } from "../run/creations.js";
import type { PresenceNotes } from "../run/presence-notes.js";
import type { Credentials } from "../states/callers.js";
import type { Accounts } from "./accounts.js";
import type { KnownValues } from "./known-values.js";

/** The server under test, and the contract that it should keep. */
export interface RestTarget extends SendLimits {
  /** The URL of the API. */
  readonly url: string;
  readonly document: ContractDocument;
  readonly states: StatesCatalogue;
  /** The URL of the provider states. Undefined if there are none. */
  readonly statesUrl?: string;
  /** The callers of checks, if there are no provider states. */
  readonly accounts?: Accounts;
  /** What to mask besides the keys of callers. */
  readonly secrets?: readonly string[];
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly validators: ResponseValidators;
  /** What the calls say of the operations. */
  readonly notes?: PresenceNotes;
  /** Called for each response. */
  readonly onAnswer?: (request: ReadyRequest, tookMs: number, about: RequestAbout) => void;
  /** Better values than those of examples. */
  readonly known?: KnownValues;
  /** Whether the server has a newer feature level than the contract. Defaults to false. */
  readonly isNewer?: boolean;
  /** Notes what requests create. Undefined on a server where that does not matter. */
  readonly creations?: Creations;
  /** Whether the server carried out a write that it must refuse. Then it gets no other. Undefined if it may get any. */
  readonly refusals?: SentRefusals;
  /** Why a request must not leave, whatever asked for it. Undefined if it may. Defaults to that. */
  readonly refuse?: (method: string, url: string, isRaw: boolean) => string | undefined;
}

/** Writes that a server must refuse. */
export interface SentRefusals {
  areLost: boolean;
  /** The responses by what was sent, so that nothing of it is sent twice. */
  readonly responses: Map<string, Promise<ReceivedResponse>>;
}

/** The organization of a check, and what is known of it. */
export interface Organization {
  name?: string;
  /** What the first provider state returned. */
  values?: Readonly<Record<string, unknown>>;
  credentials: Readonly<Record<string, Credentials>>;
  readonly secrets: string[];
  readonly setUps: DescribedCall[];
}

/** A request and its response, as reports show them. */
export interface DescribedCall {
  request: HttpRequest;
  response?: HttpResponse;
  readonly caller?: string;
}
