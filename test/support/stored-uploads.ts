import type { ChatReference } from "../../reference/chat/create-chat-reference.js";

/** The names of all uploads whose bytes a server stores. */
export async function storedUploads({ services: { database } }: Pick<ChatReference, "services">): Promise<string[]> {
  const rows = await database.selectFrom("upload_chunk").select("stored_as").distinct().orderBy("stored_as").execute();
  return rows.map(({ stored_as }) => stored_as);
}
