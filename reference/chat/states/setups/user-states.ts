import { randomBytes } from "node:crypto";
import { secondsNow } from "../../clock.js";
import { roles } from "../../roles.js";
import { createUser } from "../../users/create-user.js";
import { dummyEmail } from "../../users/dummy-email.js";
import { recordMute } from "../../users/record-mute.js";
import type { StateContext, StateSetups } from "../state-setup.js";
import { emojiOf } from "./emoji-of.js";

/** Provider states of users. */
export const userStates = {
  user: (context, { role = roles.member, full_name: fullName = "Ulla User" }) => {
    const { id, email } = furtherUser(context, role, fullName);
    return { user_id: id, email, dummy_email: dummyEmail(id, context.realm) };
  },
  "inaccessible-user": (context, { to = "member" }) => {
    const { database } = context.services;
    const { id } = furtherUser(context, roles.member, "Ines Inaccessible");
    database.run(database.sql.insertInto("inaccessible_user").values({ viewer_id: context.user(to).id, user_id: id }));
    return { user_id: id };
  },
  "user-status": (context, { of = "other", presence_enabled, status_text, reaction_type, ...named }) => {
    const { database } = context.services;
    const { id } = context.user(of);
    const emoji = reaction_type === undefined ? undefined : emojiOf(context, { reaction_type, ...named });
    const columns = {
      status_text: status_text ?? null,
      status_emoji_name: emoji?.emoji_name ?? null,
      status_emoji_code: emoji?.emoji_code ?? null,
      status_reaction_type: reaction_type ?? null,
      ...(presence_enabled === undefined ? {} : { presence_enabled }),
    };
    database.run(database.sql.updateTable("user").set(columns).where("id", "=", id));
    return { user_id: id, ...emoji };
  },
  gravatar: ({ services, user }, { of = "other" }) => {
    const { database } = services;
    database.run(database.sql.updateTable("user").set({ has_gravatar: true }).where("id", "=", user(of).id));
    return {};
  },
  "muted-user": ({ services, realm, user }, { by = "member", user: muted }) => {
    const mutedId = user(muted).id;
    recordMute(services.database, { muterId: user(by).id, mutedId, at: secondsNow(services.clock, realm) });
    return { muted_user_id: mutedId };
  },
} satisfies Partial<StateSetups>;

/** Makes a user besides the callers. */
function furtherUser({ services, realm }: StateContext, role: number, fullName: string) {
  const email = `user-${randomBytes(4).toString("hex")}@${realm.host}`;
  return createUser(services.database, { realmId: realm.id, fullName, email, role });
}
