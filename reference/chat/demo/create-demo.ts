import { newestLevel } from "../../../generated/chat/request-levels.js";
import { createEditMessage } from "../messages/edit-message/edit-message.js";
import { createOrganization } from "../organizations/create-organization.js";
import { inTransaction, type Services } from "../services.js";
import { requireChannel } from "../states/channel-states.js";
import { contextOf, createCallers, setUpState } from "../states/create-states.js";
import type { StateContext } from "../states/state-setup.js";
import { demoEdits, demoKey, demoSetups } from "./demo-content.js";

/** Creates the demo organization. Nobody knows the keys of its accounts yet. Throws if it already exists. */
export async function createDemo(services: Services): Promise<void> {
  // All or nothing, because an incomplete organization would count as created.
  await inTransaction(services, "write", async (within) => {
    const { database } = within;
    const { id } = await createOrganization(database, { key: demoKey, name: "Elsinore Players" });
    const realm = await database
      .updateTable("realm")
      .set({ description: "A company that rehearses Hamlet.", message_content_edit_limit_seconds: null })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await createCallers(database, realm);
    const { context } = await contextOf(within, services, realm);
    for (const [state, params] of demoSetups) await setUpState(context, state, params);
    for (const edit of demoEdits) await revise(context, edit);
    // Provider states cannot change it any more, nor return keys of its accounts.
    await database.deleteFrom("state_caller").where("realm_id", "=", id).execute();
  });
}

/** Edits and moves a message through the handler, with the rights of its user. */
async function revise(context: StateContext, { of, by, content, to }: (typeof demoEdits)[number]): Promise<void> {
  const { services, realm, user } = context;
  const { id: message_id } = await services.database
    .selectFrom("message")
    .select("id")
    .where("realm_id", "=", realm.id)
    .where("content", "like", `${of}%`)
    .executeTakeFirstOrThrow();
  const moved = to && {
    stream_id: (await requireChannel(context, to[0])).id,
    topic: to[1],
    propagate_mode: "change_all" as const,
  };
  await createEditMessage(services)({
    parameters: { message_id, content, ...moved },
    caller: { user: user(by), realm },
    featureLevel: newestLevel,
    header: () => undefined,
  });
}
