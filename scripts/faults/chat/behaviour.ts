import type { operations } from "../../../generated/chat/operations.js";
import type { KnownOrganizations } from "./known-organizations.js";
import type { Handle } from "./wire.js";

/** The name of an operation of the chat API. */
export type OperationId = keyof typeof operations;

/** What something between client and server does. */
export interface Behaviour {
  /** The operations whose requests it handles; all others pass as they are. `all` also handles what is no operation. */
  readonly on: readonly OperationId[] | "all";
  /** Begins with an empty memory. */
  readonly start: (known: KnownOrganizations) => Handle;
}
