import type { Operation } from "../request/operation.js";

/** One row of the generated operation table, from which client and server encode and decode requests. */
export interface ChatOperation extends Operation {
  /** The short name, such as `messages.edit`; the prefix of rule ids and feature names. */
  readonly feature: string;
  /** The protocol that a call of this operation begins. Clients do not call such an operation as a function. */
  readonly protocol?: "tus";
  /** False if the operation needs no login; otherwise undefined. */
  readonly auth?: false;
}
