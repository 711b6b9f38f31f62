import type { ChatReference, ChatReferenceOptions } from "../../../reference/chat/create-chat-reference.js";
import type { Fault, FaultRow, Variation } from "../fault.js";
import type { Behaviour } from "./behaviour.js";

/** A wrong behaviour of a chat server. At least one of the rules or operations that it breaks must be reported. */
export type ChatFault = Fault<Behaviour>;

/** A behaviour of a chat server that keeps the contract. */
export interface ChatVariation extends Omit<Variation<Behaviour>, "behaviour"> {
  readonly behaviour?: Behaviour;
  /** Options of the reference server that the variation is applied to. */
  readonly options?: ChatReferenceOptions;
  /** Prepares the reference server before the verification. */
  readonly prepare?: (reference: ChatReference) => Promise<void>;
}

/**
 * A variation that does not follow some recommendations, which are the rules that it breaks. `accord verify` reports it as deviating and
 * passes, unless the run is strict.
 */
export type Deviation = Omit<FaultRow<Behaviour>, "checkedBy">;
