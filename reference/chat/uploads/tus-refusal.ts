import type { IncomingMessage } from "node:http";
import type { Caller } from "../services.js";
import { creatorOf } from "./part-records.js";
import { mostUploadBytes, tooLargeMessage } from "./size-limit.js";

/** The version of the tus protocol that the server speaks. */
export const tusVersion = "1.0.0";
/** Where resumable uploads are. */
export const tusPath = "/api/v1/tus";

/** Why a request is refused. */
export interface TusRefusal {
  readonly status: number;
  readonly msg: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const methods = { collection: "OPTIONS, POST", upload: "DELETE, HEAD, OPTIONS, PATCH" } as const;

/**
 * Judges what the library does not: that an upload belongs to its creator, that its id is one before it gets near a path, and the
 * statuses that the contract fixes (paths/tus.yaml). Undefined when the request may go on to the library.
 */
export function tusRefusal(request: IncomingMessage, { user, realm }: Caller): TusRefusal | undefined {
  const { method = "", url = "", headers } = request;
  const path = url.split("?", 1)[0] ?? "";
  const isCollection = path === tusPath || path === `${tusPath}/`;
  if (!isCollection && creatorOf(path.slice(tusPath.length + 1)) !== user.id) {
    return { status: 404, msg: "There is no such upload" };
  }
  const allow = isCollection ? methods.collection : methods.upload;
  if (!allow.split(", ").includes(method)) return { status: 405, msg: "Method not allowed", headers: { Allow: allow } };
  if (method === "OPTIONS") return undefined;
  if (headers["tus-resumable"] !== tusVersion) {
    const msg = `Tus-Resumable must be ${tusVersion}`;
    return { status: 412, msg, headers: { "Tus-Version": tusVersion } };
  }
  if (method !== "POST") return undefined;
  const length = headers["upload-length"];
  if (headers["upload-defer-length"] !== undefined) {
    return { status: 400, msg: "The length cannot be deferred; send Upload-Length" };
  }
  if (length === undefined) return { status: 400, msg: "Upload-Length is needed" };
  return Number(length) > mostUploadBytes(realm) ? { status: 413, msg: tooLargeMessage(realm) } : undefined;
}
