import type { CallerName, StateName, StateParams, StateValues } from "../../../generated/chat/states.js";
import type { Services } from "../services.js";
import type { Realm, User } from "../storage/tables.js";

/** The organization in which a state is set up. */
export interface StateContext {
  /** The services within the transaction of the setup. */
  readonly services: Services;
  /** The services outside the transaction, for work after the commit. */
  readonly outside: Services;
  readonly realm: Realm;
  /** Returns the account of a caller. Throws a `StateError` if the organization lacks it. */
  readonly user: (caller: CallerName) => User;
}

/** Sets up a state of an organization and returns its values. */
export type StateSetup<Name extends StateName> = (
  context: StateContext,
  params: StateParams[Name],
) => Promise<StateValues[Name]>;

/** The setup functions by state. */
export type StateSetups = { readonly [Name in StateName]: StateSetup<Name> };

/** Thrown if a state cannot be set up. The message says why. */
export class StateError extends Error {
  override readonly name = "StateError";
}
