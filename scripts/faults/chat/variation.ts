import type { ChatReference, ChatReferenceOptions } from "../../../reference/chat/create-chat-reference.js";
import type { Behaviour } from "./behaviour.js";

/** A behaviour of a server that keeps the contract, so that nothing may be reported. */
export interface Variation {
  /** Unique; in kebab case. */
  readonly name: string;
  /** What the server does, in a phrase without a subject. */
  readonly summary: string;
  readonly behaviour?: Behaviour;
  /** How the server behind it is started. */
  readonly options?: ChatReferenceOptions;
  /** What is done to the server behind it before it is used. */
  readonly prepare?: (reference: ChatReference) => void;
  /** A check wrongly reports it. A test asserts that, so that the mark is removed as soon as none does. */
  readonly misjudged?: true;
  /** The checks that report it, if it is misjudged: beginnings of ids, as `--only` takes them. */
  readonly looksAt?: readonly string[];
}
