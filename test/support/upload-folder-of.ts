import type { ChatReference } from "../../reference/chat/create-chat-reference.js";
import type { UploadFolder } from "../../reference/chat/uploads/upload-folder.js";

/** The upload folder of a server with SQLite. */
export function uploadFolderOf({ services: { uploads } }: Pick<ChatReference, "services">): UploadFolder {
  if (uploads.kind !== "folder") throw new Error("the server keeps uploads in its database");
  return uploads;
}
