import { LRUCache } from "lru-cache";
import { type CompiledLinkifier, compileLinkifier } from "../rendering/compile-linkifier.js";
import { type RenderedMessage, renderMessage } from "../rendering/render-message.js";
import type { Database } from "../storage/database.js";
import { type AskedNames, type Author, lookUpNames, recordNames } from "./look-up-names.js";

/** Cache of compiled linkifiers by pattern and template, since compiling costs more than rendering. */
const compiled = new LRUCache<string, CompiledLinkifier | string>({ max: 1000 });

/**
 * Renders the raw Markdown of a message with the linkifiers of its author's organization. Users and channels that the author
 * cannot access are unknown, so that mentioning them reveals nothing.
 */
export async function renderContent(database: Database, author: Author, content: string): Promise<RenderedMessage> {
  const linkifiers = await linkifiersOf(database, author.realm_id);
  // Rendering cannot wait for the database. The first pass asks for names, and knows none of them.
  const asked: AskedNames = { users: new Map(), groups: new Set(), channels: new Set() };
  const rendered = renderMessage(content, { linkifiers, ...recordNames(asked) });
  if (asked.users.size + asked.groups.size + asked.channels.size === 0) return rendered;
  return renderMessage(content, { linkifiers, ...(await lookUpNames(database, author, asked)) });
}

/** Renders public Markdown of an organization, in which all names are unknown. */
export async function renderPublicContent(
  database: Database,
  realmId: number,
  content: string,
): Promise<RenderedMessage> {
  return renderMessage(content, {
    linkifiers: await linkifiersOf(database, realmId),
    findUser: () => undefined,
    findGroup: () => undefined,
    findChannel: () => undefined,
  });
}

async function linkifiersOf(database: Database, realmId: number): Promise<CompiledLinkifier[]> {
  const rows = await database
    .selectFrom("linkifier")
    .select(["pattern", "url_template"])
    .where("realm_id", "=", realmId)
    .orderBy("id")
    .execute();
  return rows.flatMap(({ pattern, url_template }) => {
    const key = JSON.stringify([pattern, url_template]);
    const linkifier = compiled.get(key) ?? compileLinkifier(pattern, url_template);
    compiled.set(key, linkifier);
    return typeof linkifier === "string" ? [] : [linkifier];
  });
}
