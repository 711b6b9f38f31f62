import { randomBytes } from "node:crypto";
import { systemGroup } from "../../groups/system-groups.js";
import { sendMessage } from "../../messages/send-message.js";
import { storedMediaType } from "../../uploads/media-types.js";
import { recordUpload } from "../../uploads/record-upload.js";
import type { StateContext, StateSetups } from "../state-setup.js";

/** Provider states of uploads. */
export const uploadStates = {
  attachment: async (context, { from = "member", name = "notes.txt", text = "Notes", linked_in_message: linked }) => {
    const { services, realm, user } = context;
    const ownerId = user(from).id;
    const bytes = Buffer.from(text);
    const storedAs = await services.uploads.store(bytes);
    const file = { storedAs, name, mediaType: storedMediaType("text/plain"), size: bytes.length };
    const { attachmentId, pathId, url } = await recordUpload(services, { realm, ownerId }, file);
    const values = { attachment_id: attachmentId, url, path_id: pathId };
    if (!linked) return values;
    const to = { kind: "channel", channelId: makeChannel(context, ownerId), topic: "uploads" } as const;
    const content = `[${name.replace(/[[\]]/g, "")}](${url})`;
    return { ...values, message_id: sendMessage(services, { realm, senderId: ownerId, to, content }) };
  },
} satisfies Partial<StateSetups>;

/** Makes a channel for the message, to which its sender is subscribed. */
function makeChannel({ services, realm }: StateContext, subscriberId: number): number {
  const { database } = services;
  const { insertedId } = database.run(
    database.sql.insertInto("channel").values({
      realm_id: realm.id,
      name: `uploads-${randomBytes(4).toString("hex")}`,
      can_remove_subscribers_group: systemGroup(database, realm.id, "nobody"),
    }),
  );
  database.run(database.sql.insertInto("subscription").values({ user_id: subscriberId, channel_id: insertedId }));
  return insertedId;
}
