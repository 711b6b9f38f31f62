import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import { avatarUrl } from "../../users/avatar.js";
import { seesRealEmails, visibleEmail } from "../../users/visible-email.js";
import { jsonRows } from "./json-rows.js";

/** A user as the caller sees them. */
export interface VisibleUser {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly avatarUrl: string | null;
}

type UserRow = readonly [id: number, fullName: string, email: string, hasGravatar: 0 | 1, isInaccessible: 0 | 1];

/** The users with these ids by id. With `clientGravatar`, gravatar avatars that the caller can work out have no URL. */
export function visibleUsers(
  database: Database,
  { user: caller, realm }: Caller,
  ids: Iterable<number>,
  clientGravatar: boolean,
): Map<number, VisibleUser> {
  const seesReal = seesRealEmails(database, caller, realm);
  const rows = jsonRows<UserRow>(database, {
    row: sql`json_array(user.id, user.full_name, user.email, user.has_gravatar, iu.user_id is not null)`,
    from: sql`user left join inaccessible_user iu on iu.viewer_id = ${caller.id} and iu.user_id = user.id
      where user.id in ${idList(ids)}`,
  });
  return new Map(
    rows.map(([id, fullName, realEmail, hasGravatar, isInaccessible]) => {
      const seesThis = id === caller.id || (seesReal && isInaccessible === 0);
      const email = visibleEmail(seesThis, { id, email: realEmail }, realm);
      // The hash of an address tells it to whoever guesses it.
      const gravatar = hasGravatar === 1 && seesThis;
      const picture = !gravatar ? avatarUrl(id) : clientGravatar ? null : gravatarUrl(realEmail);
      return [id, { id, email, fullName: isInaccessible === 1 ? "Unknown user" : fullName, avatarUrl: picture }];
    }),
  );
}

function gravatarUrl(email: string): string {
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}
