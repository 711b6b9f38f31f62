import type { operations } from "../../../generated/chat/operations.js";
import type { KnownOrganizations } from "./known-organizations.js";
import type { Handle } from "./wire.js";

/** The id of an operation of the chat API. */
export type OperationId = keyof typeof operations;

/** The behaviour of a proxy between client and server. */
export interface Behaviour {
  /** The operations whose requests it handles; others pass unchanged. `all` includes requests that match no operation. */
  readonly on: readonly OperationId[] | "all";
  /** Creates a handler without any remembered state. */
  readonly start: (known: KnownOrganizations) => Handle;
}
