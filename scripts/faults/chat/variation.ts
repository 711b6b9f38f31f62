import type { ChatReference, ChatReferenceOptions } from "../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "./behaviour.js";

/** A behaviour of a server that keeps the contract, so `accord verify` must not report it. */
export interface Variation {
  /** Unique; in kebab case. */
  readonly name: string;
  /** A predicate whose subject is the server: "sends no `Date` header". */
  readonly summary: string;
  readonly behaviour?: Behaviour;
  /** Options of the reference server that the variation is applied to. */
  readonly options?: ChatReferenceOptions;
  /** Prepares the reference server before the verification. */
  readonly prepare?: (reference: ChatReference) => Promise<void>;
}

/** A variation that does not follow some recommendations. `accord verify` reports it as deviating and passes, unless the run is strict. */
export interface Deviation extends Variation {
  readonly behaviour: Behaviour;
  readonly deviatesFrom: readonly string[];
}
