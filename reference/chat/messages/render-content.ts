import { canAccessChannel, findChannelByName } from "../channels/find-channel.js";
import { membersOfGroup } from "../groups/membership.js";
import { type CompiledLinkifier, compileLinkifier } from "../rendering/compile-linkifier.js";
import { type RenderedMessage, renderMessage } from "../rendering/render-message.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { findVisibleUserByName } from "../users/find-visible-user.js";

/** Cache of compiled linkifiers by pattern and template, since compiling costs more than rendering. */
const compiled = new Map<string, CompiledLinkifier | undefined>();
const maxCompiled = 1000;

/** The author of a rendered message. */
export type Author = Pick<User, "id" | "role" | "realm_id">;

/**
 * Renders the raw Markdown of a message with the linkifiers of its author's organization. Users and channels that the author
 * cannot access are unknown, so that mentioning them reveals nothing.
 */
export function renderContent(database: Database, author: Author, content: string): RenderedMessage {
  return renderMessage(content, {
    linkifiers: linkifiersOf(database, author.realm_id),
    findUser: (name, id) => {
      const user = findVisibleUserByName(database, author, name, id);
      return user && { id: user.id, name: user.full_name };
    },
    findGroup: (name) => findGroup(database, author.realm_id, name),
    findChannel: (name) => {
      const channel = findChannelByName(database, author, name);
      return channel !== undefined && canAccessChannel(database, author, channel) ? channel : undefined;
    },
  });
}

/** Renders public Markdown of an organization, in which all names are unknown. */
export function renderPublicContent(database: Database, realmId: number, content: string): RenderedMessage {
  return renderMessage(content, {
    linkifiers: linkifiersOf(database, realmId),
    findUser: () => undefined,
    findGroup: () => undefined,
    findChannel: () => undefined,
  });
}

function findGroup(database: Database, realmId: number, name: string) {
  const { sql } = database;
  const group = database.first(
    sql
      .selectFrom("user_group")
      .select(["id", "name"])
      .where("realm_id", "=", realmId)
      .where("name", "=", name)
      .where("most_role", "is", null)
      .where("is_deactivated", "=", 0),
  );
  if (group === undefined || group.name === null) return undefined;
  return { id: group.id, name: group.name, memberIds: membersOfGroup(database, group.id, realmId) };
}

function linkifiersOf(database: Database, realmId: number): CompiledLinkifier[] {
  const rows = database.all(
    database.sql
      .selectFrom("linkifier")
      .select(["pattern", "url_template"])
      .where("realm_id", "=", realmId)
      .orderBy("id"),
  );
  return rows.flatMap(({ pattern, url_template }) => compile(pattern, url_template) ?? []);
}

function compile(pattern: string, urlTemplate: string): CompiledLinkifier | undefined {
  const key = JSON.stringify([pattern, urlTemplate]);
  if (!compiled.has(key)) {
    const result = compileLinkifier(pattern, urlTemplate);
    const [oldest] = compiled.keys();
    if (compiled.size >= maxCompiled && oldest !== undefined) compiled.delete(oldest);
    compiled.set(key, result.kind === "compiled" ? result.linkifier : undefined);
  }
  return compiled.get(key);
}
