import { spooledPath } from "../../../src/chat/server/index.js";
import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { fileName } from "./file-name.js";
import { storedMediaType } from "./media-types.js";
import { recordUpload } from "./record-upload.js";
import { mostUploadBytes, tooLargeMessage } from "./size-limit.js";

/** Stores a file of the caller, who alone can open it until a message links it (Upload a file). */
export function createUploadFile(services: Services): Operation<"uploadFile"> {
  return async ({ parameters, caller: { user, realm } }) => {
    const file = parameters.file as File;
    if (file.size > mostUploadBytes(realm)) return badRequest(tooLargeMessage(realm));
    const name = fileName(file.name);
    const path = spooledPath(file);
    const storedAs =
      path === undefined
        ? await services.uploads.store(new Uint8Array(await file.arrayBuffer()))
        : await services.uploads.adopt(path);
    const stored = { storedAs, name, mediaType: storedMediaType(file.type), size: file.size };
    const { url, filename } = await recordUpload(services, { realm, ownerId: user.id }, stored);
    return { url, uri: url, filename };
  };
}
