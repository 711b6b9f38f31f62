import { canAccessChannel } from "../access/find-channel.js";
import { visibleUsers } from "../access/find-visible-user.js";
import { membersOfGroup } from "../access/membership.js";
import type { RenderContext } from "../rendering/render-state.js";
import { type Database, keyOf } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/** The author of a message, who determines which names in it are known. */
export type Author = Pick<User, "id" | "role" | "realm_id">;

/** Names in a message that may be those of users, groups and channels. */
export interface AskedNames {
  /** Users by name, or by name and id if the message gives both. */
  readonly users: Map<string, { readonly name: string; readonly id: number | undefined }>;
  readonly groups: Set<string>;
  readonly channels: Set<string>;
}

type Names = Omit<RenderContext, "linkifiers">;

/** Creates a context that records the names it is asked for, and knows none. */
export function recordNames({ users, groups, channels }: AskedNames): Names {
  return {
    findUser: (name, id) => void users.set(userKey(name, id), { name, id }),
    findGroup: (name) => void groups.add(name),
    findChannel: (name) => void channels.add(name),
  };
}

/** Looks up names as an author knows them. */
export async function lookUpNames(database: Database, author: Author, asked: AskedNames): Promise<Names> {
  const users = await lookUpUsers(database, author, asked.users);
  const groups = await lookUpGroups(database, author, asked.groups);
  const channels = await lookUpChannels(database, author, asked.channels);
  return {
    findUser: (name, id) => users.get(userKey(name, id)),
    findGroup: (name) => groups.get(keyOf(name)),
    findChannel: (name) => channels.get(keyOf(name)),
  };
}

function userKey(name: string, id: number | undefined): string {
  return JSON.stringify([name, id]);
}

/** Looks up users. A name that several users share stands for the one with the lowest id. */
async function lookUpUsers(database: Database, author: Author, asked: AskedNames["users"]) {
  const found = new Map<string, { id: number; name: string }>();
  if (asked.size === 0) return found;
  const names = new Set([...asked.values()].map(({ name }) => name));
  const rows = await visibleUsers(database, author)
    .where("full_name", "in", [...names])
    .orderBy("id")
    .execute();
  for (const [key, { name, id }] of asked) {
    const row = rows.find((user) => user.full_name === name && (id === undefined || user.id === id));
    if (row !== undefined) found.set(key, { id: row.id, name: row.full_name });
  }
  return found;
}

/** Looks up active groups, except system groups. */
async function lookUpGroups(database: Database, { realm_id }: Author, asked: ReadonlySet<string>) {
  const found = new Map<string, { id: number; name: string; memberIds: readonly number[] }>();
  if (asked.size === 0) return found;
  const rows = await database
    .selectFrom("user_group")
    .select(["id", "name", "name_key"])
    .where("realm_id", "=", realm_id)
    .where("name_key", "in", [...asked].map(keyOf))
    .where("most_role", "is", null)
    .where("is_deactivated", "=", false)
    .execute();
  for (const { id, name, name_key } of rows) {
    if (name === null || name_key === null) continue;
    found.set(name_key, { id, name, memberIds: await membersOfGroup(database, id, realm_id) });
  }
  return found;
}

async function lookUpChannels(database: Database, author: Author, asked: ReadonlySet<string>) {
  const found = new Map<string, { id: number; name: string }>();
  if (asked.size === 0) return found;
  const rows = await database
    .selectFrom("channel")
    .selectAll()
    .where("realm_id", "=", author.realm_id)
    .where("name_key", "in", [...asked].map(keyOf))
    .execute();
  for (const channel of rows) {
    if (await canAccessChannel(database, author, channel)) found.set(channel.name_key, channel);
  }
  return found;
}
