import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { percentDecodeStrictly } from "../../../src/base/percent-decode.js";
import { openableBy } from "../access/find-message.js";
import type { Admission } from "../http/admission.js";
import { writeError } from "../http/node-http.js";
import type { Caller, Services } from "../services.js";
import type { Attachment } from "../storage/tables.js";
import { isDisplayedInline, servedContentType, uploadsPrefix } from "./file-metadata.js";
import { readUpload } from "./upload-store.js";

const pathIdForm = /^[A-Za-z0-9_-]{1,100}\/[A-Za-z0-9_-]{1,100}\/[A-Za-z0-9._-]{1,100}$/;

/** How long a connection may stand still while a file is sent, in milliseconds. */
const maxIdleMs = 10 * 60_000;

/**
 * Creates the handler of `/user_uploads/<path_id>`. For users who may not open an upload, it does not exist.
 */
export function createServeUpload(
  services: Pick<Services, "database">,
  admit: Admission,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const caller = await admit(request, response);
    if (caller === undefined) return;
    if (request.method !== "GET" && request.method !== "HEAD") {
      return writeError(response, 405, "Method not allowed", { headers: { Allow: "GET, HEAD" } });
    }
    const attachment = await findUpload(services, caller, pathIdOf(request.url ?? ""));
    if (attachment === undefined) return writeError(response, 404, "There is no such upload");
    response.writeHead(200, headersOf(attachment));
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    // Little memory waits for a slow reader, and the kernel may take minutes to report its progress.
    response.setTimeout(maxIdleMs);
    // The client has disconnected.
    await pipeline(readUpload(services.database, attachment.stored_as), response).catch(() => response.destroy());
  };
}

/** The percent-decoded part of a target after `/user_uploads/`; undefined if it is not a path_id. */
function pathIdOf(target: string): string | undefined {
  const path = percentDecodeStrictly((target.split(/[?#]/, 1)[0] ?? "").slice(uploadsPrefix.length));
  return path !== undefined && pathIdForm.test(path) ? path : undefined;
}

async function findUpload(
  { database }: Pick<Services, "database">,
  { user, realm }: Caller,
  pathId: string | undefined,
): Promise<Attachment | undefined> {
  if (pathId === undefined) return undefined;
  return database
    .selectFrom("attachment")
    .selectAll()
    .where("realm_id", "=", realm.id)
    .where("path_id", "=", pathId)
    .where(openableBy(user))
    .executeTakeFirst();
}

function headersOf({ media_type, name, size }: Attachment): Record<string, string | number> {
  return {
    "Content-Type": servedContentType(media_type),
    "Content-Length": size,
    "Content-Disposition": isDisplayedInline(media_type)
      ? "inline"
      : `attachment; filename*=UTF-8''${encodeExtended(name)}`,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private",
  };
}

/** The value of an extended header parameter (RFC 8187, section 3.2.1). */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}
