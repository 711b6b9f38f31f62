import { badRequest } from "../refusals.js";
import { compileLinkifier } from "../rendering/compile-linkifier.js";
import type { Operation, Services } from "../services.js";

/**
 * Changes the pattern and URL template of a linkifier (Update a linkifier). `authorize` has checked that the caller is an
 * administrator. Existing messages keep their links. Patterns are unique within an organization.
 */
export function createUpdateLinkifier({ database }: Services): Operation<"updateLinkifier"> {
  const { sql } = database;
  return ({ parameters: { filter_id: id, pattern, url_template }, caller: { realm } }) =>
    database.transaction(() => {
      const linkifiers = sql.selectFrom("linkifier").select("id").where("realm_id", "=", realm.id);
      if (database.first(linkifiers.where("id", "=", id)) === undefined) return badRequest("Linkifier not found.");
      const compilation = compileLinkifier(pattern, url_template);
      if (compilation.kind === "invalid") return badRequest(compilation.problem.message);
      if (database.first(linkifiers.where("pattern", "=", pattern).where("id", "!=", id)) !== undefined) {
        return badRequest("Another linkifier already has this pattern");
      }
      database.run(
        sql
          .updateTable("linkifier")
          .set({ pattern, url_template })
          .where("id", "=", id)
          .where("realm_id", "=", realm.id),
      );
      return undefined;
    });
}
