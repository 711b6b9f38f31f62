import { badRequest } from "../refusals.js";
import { compileLinkifier } from "../rendering/compile-linkifier.js";
import type { Operation, Services } from "../services.js";

/**
 * Changes the pattern and URL template of a linkifier (Update a linkifier). `authorize` has checked that the caller is an
 * administrator. Existing messages keep their links. Patterns are unique within an organization.
 */
export function createUpdateLinkifier({ database }: Services): Operation<"updateLinkifier"> {
  return async ({ parameters: { filter_id: id, pattern, url_template }, caller: { realm } }) => {
    const linkifiers = database.selectFrom("linkifier").select("id").where("realm_id", "=", realm.id);
    if ((await linkifiers.where("id", "=", id).executeTakeFirst()) === undefined)
      return badRequest("Linkifier not found.");
    const compiled = compileLinkifier(pattern, url_template);
    if (typeof compiled === "string") return badRequest(compiled);
    if ((await linkifiers.where("pattern", "=", pattern).where("id", "!=", id).executeTakeFirst()) !== undefined) {
      return badRequest("Another linkifier already has this pattern");
    }
    await database
      .updateTable("linkifier")
      .set({ pattern, url_template })
      .where("id", "=", id)
      .where("realm_id", "=", realm.id)
      .execute();
    return undefined;
  };
}
