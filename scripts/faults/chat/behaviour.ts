import type { operations } from "../../../generated/chat/operations.js";
import type { StateName } from "../../../generated/chat/states.js";
import type { KnownOrganizations } from "./known-organizations.js";
import type { Handle, WireRequest } from "./wire.js";

/** The id of an operation of the chat API. */
export type OperationId = keyof typeof operations;

/** The behaviour of a proxy between client and server. */
export interface Behaviour {
  /** The operations whose requests it handles; others pass unchanged. `all` includes requests that match no operation. */
  readonly on: readonly OperationId[] | "all";
  /** The provider states whose setups it handles, because they report what the API does not show. Defaults to none. */
  readonly states?: readonly StateName[];
  /** Creates a handler without any remembered state. */
  readonly start: (known: KnownOrganizations) => Handle;
}

/** The path of the provider states. */
export const statesPath = "/states";

/** Whether a behaviour handles a request. */
export function handles({ on, states = [] }: Pick<Behaviour, "on" | "states">, request: WireRequest): boolean {
  if (request.target === statesPath) return states.some((state) => state === setupOf(request).state);
  return on === "all" || on.some((operation) => operation === request.operationId);
}

/** The body of a request to the provider states. */
export function setupOf({ body }: WireRequest): StatesRequest {
  return JSON.parse(String(body));
}

interface StatesRequest {
  readonly state: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly check?: string;
}

/** Every provider state that one of several behaviours handles. */
export function statesOf(behaviours: readonly Pick<Behaviour, "states">[]): readonly StateName[] {
  return behaviours.flatMap(({ states = [] }) => states);
}
