import { stateValidators } from "../../../generated/chat/state-validators.js";
import type { CallerName, StateName } from "../../../generated/chat/states.js";
import { stateNames } from "../../../generated/chat/states.js";
import { createOrganization } from "../organizations/create-organization.js";
import { findOrganization } from "../organizations/find-organization.js";
import type { Services } from "../services.js";
import { type Callers, createCallers } from "./create-callers.js";
import { setups } from "./setups/setups.js";
import { StateError } from "./state-setup.js";

/** Puts organizations into provider states. */
export interface States {
  /** Answers the values of the state, `organization` and `credentials`. Rejects with a `StateError` when it cannot be entered. */
  readonly setup: (state: string, params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
}

/** How many organizations can be set up further; the oldest are forgotten first. */
const mostOrganizations = 20_000;

/** Makes the provider states of `openapi/states.yaml`. Keys of callers are kept in memory alone. */
export function createStates(services: Services): States {
  const { database } = services;
  const known = new Map<string, Callers>();

  function enter(state: StateName, organization: string | undefined): string {
    if (organization !== undefined) {
      if (!known.has(organization)) throw new StateError(`There is no organization ${organization} that states made`);
      return organization;
    }
    return database.transaction(() => {
      const realm = createOrganization(database);
      known.set(realm.key, createCallers(database, realm, state === "sole-user" ? ["member"] : undefined));
      const [oldest] = known.keys();
      if (known.size > mostOrganizations && oldest !== undefined) known.delete(oldest);
      return realm.key;
    });
  }

  return {
    setup: async (state, params) => {
      if (!isStateName(state)) throw new StateError(`Unknown state: ${state}. Use one of ${stateNames.join(", ")}`);
      const validate = stateValidators[state];
      if (!validate(params)) {
        const [error] = validate.errors ?? [];
        throw new StateError(`State ${state}: params${error?.instancePath ?? ""} ${error?.message ?? "are invalid"}`);
      }
      const { organization: given, ...own } = params as { organization?: string };
      const organization = enter(state, given);
      const callers = known.get(organization) ?? {};
      const user = (name: CallerName) => {
        const id = callers[name]?.id ?? 0;
        const row = database.first(database.sql.selectFrom("user").selectAll().where("id", "=", id));
        if (row === undefined) throw new StateError(`Organization ${organization} has no caller ${name}`);
        return row;
      };
      const context = { services, realm: findOrganization(database, organization), user };
      // The parameters fit the state, which the compiler cannot see for one that is chosen at run time.
      const setup = setups[state] as ((context: object, params: object) => Record<string, unknown>) | undefined;
      if (setup === undefined) throw new StateError(`State ${state} is not supported`);
      const values = await setup(context, own);
      await database.settled();
      return { ...values, organization, credentials: credentials(callers) };
    },
  };
}

function credentials(callers: Callers): Record<string, object> {
  return Object.fromEntries(
    Object.entries(callers).map(([name, { id, email, apiKey }]) => [
      name,
      { user_id: id, email, api_key: apiKey.reveal() },
    ]),
  );
}

function isStateName(name: string): name is StateName {
  return (stateNames as readonly string[]).includes(name);
}
