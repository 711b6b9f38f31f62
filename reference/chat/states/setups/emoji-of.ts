import { type StateContext, StateError } from "../state-setup.js";

/** An emoji as a state names it. */
interface NamedEmoji {
  readonly reaction_type: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
  readonly emoji_name?: string;
  readonly emoji_code?: string;
}

/** The extra emoji that the states use. */
const extraEmoji = "acorn";

/**
 * The name and code of the emoji of a state (Enumerations, reaction_type). A custom emoji is made unless the organization has it.
 * Throws a `StateError` when a parameter is missing.
 */
export function emojiOf({ services, realm }: StateContext, { reaction_type, emoji_name, emoji_code }: NamedEmoji) {
  if (reaction_type === "service_extra_emoji") return { emoji_name: extraEmoji, emoji_code: extraEmoji };
  if (emoji_name === undefined) throw new StateError(`An emoji of type ${reaction_type} needs \`emoji_name\``);
  if (reaction_type === "unicode_emoji") {
    if (emoji_code === undefined) throw new StateError("A Unicode emoji needs `emoji_code`");
    return { emoji_name, emoji_code };
  }
  const { database } = services;
  const { sql } = database;
  const emoji = { realm_id: realm.id, name: emoji_name };
  const known = database.first(
    sql.selectFrom("realm_emoji").select("id").where("realm_id", "=", realm.id).where("name", "=", emoji_name),
  );
  const id = known?.id ?? database.run(sql.insertInto("realm_emoji").values(emoji)).insertedId;
  return { emoji_name, emoji_code: String(id) };
}
