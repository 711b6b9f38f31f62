import { stateValidators } from "../../../generated/chat/state-validators.js";
import { type CallerName, callers, type StateName, stateNames } from "../../../generated/chat/states.js";
import { createOrganization, findOrganization } from "../organizations/create-organization.js";
import { roles } from "../roles.js";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { type CreatedUser, createUser } from "../users/create-user.js";
import { channelStates } from "./channel-states.js";
import { messageStates, uploadStates } from "./message-states.js";
import { configurationStates, organizationStates, pushStates } from "./organization-states.js";
import { StateError, type StateSetups } from "./state-setup.js";
import { userGroupStates, userStates } from "./user-states.js";

/** Sets up provider states of organizations. */
export interface States {
  /**
   * Returns the values of the state, `organization` and `credentials`. Rejects with a `StateError` if the state cannot be set
   * up.
   */
  readonly setup: (state: string, params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
}

/** Maximum organizations that can still be changed; the oldest are forgotten first. */
const maxOrganizations = 20_000;

/** Creates the provider states of `openapi/states.yaml`. Keys of callers are kept only in memory. */
export function createStates(services: Services): States {
  const { database } = services;
  const known = new Map<string, Callers>();

  function enter(state: StateName, organization: string | undefined): string {
    if (organization !== undefined) {
      if (!known.has(organization)) throw new StateError(`No state created an organization ${organization}`);
      return organization;
    }
    return database.transaction(() => {
      const realm = createOrganization(database);
      known.set(realm.key, createCallers(database, realm, state === "sole-user" ? ["member"] : undefined));
      const [oldest] = known.keys();
      if (known.size > maxOrganizations && oldest !== undefined) known.delete(oldest);
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
      // The parameters fit the state; the types cannot express this for a state chosen at run time.
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

/** The callers of an organization, with their keys. */
type Callers = Readonly<Partial<Record<CallerName, CreatedUser>>>;

const people: Readonly<Record<CallerName, { readonly fullName: string; readonly role: number }>> = {
  owner: { fullName: "Olivia Owner", role: roles.owner },
  administrator: { fullName: "Adam Administrator", role: roles.administrator },
  moderator: { fullName: "Mona Moderator", role: roles.moderator },
  member: { fullName: "Mira Member", role: roles.member },
  other: { fullName: "Otto Other", role: roles.member },
  guest: { fullName: "Gustav Guest", role: roles.guest },
  bot: { fullName: "Build Bot", role: roles.member },
  deactivated: { fullName: "Dora Deactivated", role: roles.member },
};

/** Creates the callers of a new organization (`x-callers` of `openapi/states.yaml`), by default all of them. */
function createCallers(database: Database, realm: Realm, names: readonly CallerName[] = callers): Callers {
  const made: Partial<Record<CallerName, CreatedUser>> = {};
  for (const name of names) {
    made[name] = createUser(database, {
      realmId: realm.id,
      ...people[name],
      email: `${name}@${realm.host}`,
      ...(name === "bot" ? { bot: { ownerId: made.member?.id ?? null } } : {}),
    });
  }
  const { deactivated } = made;
  if (deactivated) {
    database.run(database.sql.updateTable("user").set({ is_active: false }).where("id", "=", deactivated.id));
  }
  return made;
}

/** Every provider state of `openapi/states.yaml`. */
const setups: Partial<StateSetups> = {
  ...organizationStates,
  ...configurationStates,
  ...channelStates,
  ...messageStates,
  ...userStates,
  ...userGroupStates,
  ...uploadStates,
  ...pushStates,
};
