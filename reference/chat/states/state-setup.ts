import type { CallerName, StateName, StateParams, StateValues } from "../../../generated/chat/states.js";
import type { Services } from "../services.js";
import type { Realm, User } from "../storage/tables.js";

/** The organization that a state is set up in. */
export interface StateContext {
  readonly services: Services;
  readonly realm: Realm;
  /** The account of a caller. Throws a `StateError` when the organization lacks that caller. */
  readonly user: (caller: CallerName) => User;
}

/** Puts an organization into a state and answers the values that belong to it. */
export type StateSetup<Name extends StateName> = (
  context: StateContext,
  params: StateParams[Name],
) => StateValues[Name] | Promise<StateValues[Name]>;

/** The setup of each state. */
export type StateSetups = { readonly [Name in StateName]: StateSetup<Name> };

/** The state cannot be entered. The message says why. */
export class StateError extends Error {
  override readonly name = "StateError";
}
