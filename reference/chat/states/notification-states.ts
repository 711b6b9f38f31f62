import type { StateContext, StateSetups } from "./state-setup.js";

/**
 * The provider state of notifications. This server sends neither e-mail nor pushes, so it computes which ones it should have sent: those
 * about a direct message that the user has not read. A message of a muted user is read from the start, and becomes read when its sender is
 * muted.
 */
export const notificationStates = {
  notifications: async (context, { of = "member", message_id: messageId }) => {
    const { id, email } = context.user(of);
    if (!(await isUnreadDirectMessage(context, id, messageId))) return { mails: [], pushes: [] };
    return { mails: [{ to: email }], pushes: context.realm.push_service ? await pushesTo(context, id) : [] };
  },
} satisfies Partial<StateSetups>;

async function isUnreadDirectMessage(
  { services, realm }: StateContext,
  userId: number,
  messageId: number,
): Promise<boolean> {
  const found = await services.database
    .selectFrom("user_message")
    .innerJoin("message", (join) =>
      join.onRef("message.realm_id", "=", "user_message.realm_id").onRef("message.id", "=", "user_message.message_id"),
    )
    .select("message.id")
    .where("user_message.realm_id", "=", realm.id)
    .where("user_message.user_id", "=", userId)
    .where("user_message.message_id", "=", messageId)
    .where("user_message.is_read", "=", false)
    .where("message.conversation_id", "is not", null)
    .executeTakeFirst();
  return found !== undefined;
}

/** One push to each device of a user. */
async function pushesTo({ services: { database }, realm }: StateContext, userId: number) {
  const registered = await database
    .selectFrom("push_device")
    .select(["token_kind", "push_account_id"])
    .where("realm_id", "=", realm.id)
    .where("user_id", "=", userId)
    .execute();
  const tokens = await database
    .selectFrom("device_token")
    .select("kind")
    .where("realm_id", "=", realm.id)
    .where("user_id", "=", userId)
    .execute();
  return [...registered, ...tokens.map(({ kind }) => ({ token_kind: kind }))].map(({ token_kind, ...push }) => ({
    token_kind: token_kind === "ios" ? ("ios" as const) : ("android" as const),
    ...push,
  }));
}
