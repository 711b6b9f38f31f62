import type { Case } from "../../../contract/chat/cases.js";

/** A request that follows from the contract alone, and the outcome that the contract fixes for it. */
export interface Probe {
  /** Unique and the same in every run: `probe <operationId>/<name>`. */
  readonly id: string;
  readonly operationId: string;
  /** The rules that it shows. Empty when none of the contract's rules says just this. */
  readonly rules: readonly string[];
  /** What is sent, in a phrase for people. */
  readonly summary: string;
  /** Whose request is changed. With `states` it is a correct request, which succeeds in the states of the case. */
  readonly base: Case;
  /** Whether the states of the base and its caller are needed. Without them the example values of the contract are sent by nobody. */
  readonly states: boolean;
  readonly change: RequestChange;
  readonly expectation: Expectation;
}

/** What is done to a correct request. Texts are values before they are percent-encoded. */
export type RequestChange =
  | { readonly kind: "none" }
  | { readonly kind: "leave-out"; readonly parameter: string }
  | { readonly kind: "replace"; readonly parameter: string; readonly text: string }
  | { readonly kind: "repeat"; readonly parameter: string }
  | { readonly kind: "move-to-query"; readonly parameter: string }
  | { readonly kind: "add-unknown"; readonly parameters: Readonly<Record<string, string>> }
  /** The same fields as `multipart/form-data`. */
  | { readonly kind: "as-multipart" }
  | { readonly kind: "content-type"; readonly value: string }
  /** A body that is no form, byte for byte. */
  | { readonly kind: "raw-body"; readonly type: string; readonly body: string }
  | { readonly kind: "method"; readonly method: string }
  /** `authorization` as it is; without it, none is sent. */
  | { readonly kind: "authorization"; readonly authorization?: string }
  /** The e-mail address of the caller with a key that is none. */
  | { readonly kind: "wrong-key" }
  | { readonly kind: "caller"; readonly caller: string }
  /** The value that the parameter has in another organization with the same states. */
  | { readonly kind: "foreign"; readonly parameter: string }
  /** Many random correct requests. */
  | { readonly kind: "random-requests" }
  /** Many correct requests with one random wrong value each. */
  | { readonly kind: "random-violations" };

/** What the contract fixes about the answer, besides that every answer fits the schema of its status and code. */
export type Expectation =
  | { readonly kind: "refused"; readonly status: number; readonly code: string }
  /** An error in the envelope with a status from 400 to 499; which one is open. */
  | { readonly kind: "refused-some-way" }
  /** The same, or no endpoint at this path: a router may see in the value of a path parameter that it is none. */
  | { readonly kind: "refused-or-not-found" }
  | { readonly kind: "succeeds" }
  /** Success; `ignored_parameters_unsupported` names these, and none that the operation supports. */
  | { readonly kind: "ignored"; readonly parameters: readonly string[] }
  /** Any response that the contract allows. A server that fails, with a status from 500 on, keeps no contract. */
  | { readonly kind: "any" }
  /** The contract does not list this request, so it says nothing of the answer but that the server does not fail. */
  | { readonly kind: "unlisted" };
