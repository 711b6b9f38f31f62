import { stateValidators } from "../../../generated/chat/state-validators.js";
import { type CallerName, callers as callerNames, type StateName, stateNames } from "../../../generated/chat/states.js";
import { hasNullByte } from "../null-bytes.js";
import { createOrganization } from "../organizations/create-organization.js";
import { roles } from "../roles.js";
import { inTransaction, type Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm, User } from "../storage/tables.js";
import { type CreatedUser, createUsers, type NewUser } from "../users/create-user.js";
import { channelStates } from "./channel-states.js";
import { messageStates, uploadStates } from "./message-states.js";
import { notificationStates } from "./notification-states.js";
import { configurationStates, organizationStates, pushStates } from "./organization-states.js";
import { serverStates } from "./server-states.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";
import { userGroupStates, userStates } from "./user-states.js";

/** Sets up provider states of organizations. */
export interface States {
  /**
   * Returns the values of the state, `organization` and `credentials`. Rejects with a `StateError` if the state cannot be set
   * up.
   */
  readonly setup: (state: string, params: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
}

/** Creates the provider states of `openapi/states.yaml`. Any server of a database can set up the next state of an organization. */
export function createStates(services: Services): States {
  return {
    setup: async (state, params) => {
      if (!isStateName(state)) throw new StateError(`Unknown state: ${state}. Use one of ${stateNames.join(", ")}`);
      const validate = stateValidators[state];
      if (!validate(params)) {
        const [error] = validate.errors ?? [];
        throw new StateError(`State ${state}: params${error?.instancePath ?? ""} ${error?.message ?? "are invalid"}`);
      }
      if (hasNullByte(params)) throw new StateError(`State ${state}: params must not contain a null byte`);
      const { organization: given, ...own } = params as { organization?: string };
      return inTransaction(services, "write", async (within) => {
        const realm = await enter(within.database, state, given);
        const { context, callers } = await contextOf(within, services, realm);
        const values = await setUpState(context, state, own);
        return { ...values, organization: realm.key, credentials: credentials(callers) };
      });
    },
  };
}

/** The context of a setup within a transaction, and the callers of the organization. */
export async function contextOf(
  within: Services,
  outside: Services,
  realm: Realm,
): Promise<{ readonly context: StateContext; readonly callers: Callers }> {
  const callers = await readCallers(within.database, realm);
  const user = (name: CallerName) => {
    const caller = callers.get(name);
    if (caller === undefined) throw new StateError(`Organization ${realm.key} has no caller ${name}`);
    return caller.user;
  };
  return { context: { services: within, outside, realm, user }, callers };
}

/** Sets up a state. The parameters must fit it; the types cannot express this for a state chosen at run time. */
export async function setUpState(
  context: StateContext,
  state: StateName,
  params: object,
): Promise<Record<string, unknown>> {
  const setup = setups[state] as ((context: object, params: object) => Promise<Record<string, unknown>>) | undefined;
  if (setup === undefined) throw new StateError(`State ${state} is not supported`);
  return setup(context, params);
}

/** Returns an organization that a state created, by default a new one. */
async function enter(database: Database, state: StateName, key: string | undefined): Promise<Realm> {
  if (key === undefined) {
    const realm = await createOrganization(database);
    await createCallers(database, realm, state === "sole-user" ? ["member"] : undefined);
    return realm;
  }
  const realm = await database
    .selectFrom("realm")
    .selectAll()
    .where("key", "=", key)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("state_caller").select("state_caller.user_id").whereRef("state_caller.realm_id", "=", "realm.id"),
      ),
    )
    .executeTakeFirst();
  if (realm === undefined) throw new StateError(`No state created an organization ${key}`);
  return realm;
}

/** The callers of an organization, with their keys. */
type Callers = ReadonlyMap<string, { readonly user: User; readonly apiKey: string; readonly email: string }>;

async function readCallers(database: Database, { id }: Realm): Promise<Callers> {
  const created = await database
    .selectFrom("state_caller")
    .innerJoin("user", (join) =>
      join.onRef("user.realm_id", "=", "state_caller.realm_id").onRef("user.id", "=", "state_caller.user_id"),
    )
    .select(["state_caller.name", "state_caller.api_key", "state_caller.email as created_email"])
    .selectAll("user")
    .where("state_caller.realm_id", "=", id)
    .execute();
  return new Map(
    created.map(({ name, api_key: apiKey, created_email: email, ...user }) => [name, { user, apiKey, email }]),
  );
}

function credentials(callers: Callers): Record<string, object> {
  return Object.fromEntries(
    [...callers].map(([name, { user, email, apiKey }]) => [name, { user_id: user.id, email, api_key: apiKey }]),
  );
}

function isStateName(name: string): name is StateName {
  return (stateNames as readonly string[]).includes(name);
}

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
export async function createCallers(
  database: Database,
  realm: Realm,
  names: readonly CallerName[] = callerNames,
): Promise<void> {
  const toUser = (name: CallerName): NewUser => ({ ...people[name], email: emailOf(name, realm) });
  const humans = names.filter((name) => name !== "bot");
  const users = humans.map((name) => ({ ...toUser(name), isActive: name !== "deactivated" }));
  const created = await createUsers(database, realm.id, users);
  if (names.includes("bot")) {
    const ownerId = created.find(({ email }) => email === emailOf("member", realm))?.id ?? null;
    created.push(...(await createUsers(database, realm.id, [{ ...toUser("bot"), bot: { ownerId } }])));
  }
  const rows = names.flatMap((name) => {
    const user = created.find(({ email }) => email === emailOf(name, realm));
    return user === undefined ? [] : [callerRow(realm, name, user)];
  });
  await database.insertInto("state_caller").values(rows).execute();
}

function emailOf(name: CallerName, { host }: Realm): string {
  return `${name}@${host}`;
}

function callerRow({ id }: Realm, name: CallerName, { id: user_id, email, apiKey }: CreatedUser) {
  return { realm_id: id, user_id, name, email, api_key: apiKey.reveal() };
}

/** The setup of every provider state of `openapi/states.yaml`. */
const setups: Partial<StateSetups> = {
  ...organizationStates,
  ...configurationStates,
  ...channelStates,
  ...messageStates,
  ...userStates,
  ...userGroupStates,
  ...uploadStates,
  ...pushStates,
  ...serverStates,
  ...notificationStates,
};
