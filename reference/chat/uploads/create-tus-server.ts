import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { ERRORS, type Locker, Server, type Upload } from "@tus/server";
import { Refusal } from "../../../src/chat/server/index.js";
import { receiveBody } from "../../../src/http/receive-body.js";
import type { Admission } from "../http/admission.js";
import { writeError } from "../http/node-http.js";
import type { Caller, Services } from "../services.js";
import { mostUploadBytes, tooLargeMessage } from "./attachments.js";
import { PartStore } from "./part-store.js";
import { createPartId, creatorOf, sentName, tusPath } from "./parts.js";

/** The headers that the protocol knows; no other one reaches the library. */
const protocolHeaders = [
  "content-length",
  "content-type",
  "tus-resumable",
  "upload-concat",
  "upload-length",
  "upload-metadata",
  "upload-offset",
];
/** How long a request that another one waits for may go on. */
const drainMs = 1000;

type Needed = Pick<Services, "database" | "clock" | "uploads">;

/**
 * Makes the function that serves `/api/v1/tus`: resumable uploads by the tus protocol 1.0.0, with creation, creation-with-upload and
 * termination. A complete upload is an attachment like any other; the request that completes it is answered like `uploadFile`.
 * Errors are answered in the envelope. Uploads outlast a restart with the same data folder (Upload a file; Versioning 296).
 */
export function createTusServer(
  services: Needed,
  admit: Admission,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const callers = new WeakMap<Request, Caller>();
  const faults = new WeakMap<Request, unknown>();
  const store = new PartStore(services);

  function callerOf(request: Request): Caller {
    const caller = callers.get(request);
    if (caller === undefined) throw new Error("a request without a caller");
    return caller;
  }

  const server = new Server({
    path: tusPath,
    datastore: store,
    locker: createLocker(),
    lockDrainTimeout: drainMs,
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    allowedOrigins: () => false,
    namingFunction: (request) => createPartId(callerOf(request).user.id),
    maxSize: (request) => mostUploadBytes(callerOf(request).realm),
    onUploadCreate: async (_request, upload) => {
      sentName(upload.metadata);
      return {};
    },
    onUploadFinish: async ({ method }, { id }: Upload) => {
      const { url, filename } = await store.answerOf(id);
      return {
        // The protocol has 204, which cannot carry the body; a creation stays 201.
        ...(method === "PATCH" ? { status_code: 200 } : {}),
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ result: "success", msg: "", url, uri: url, filename }),
      };
    },
    onResponseError: (request, error) => {
      if (error instanceof Refusal) return { status_code: error.status, body: error.fields.msg };
      if (!("status_code" in error)) faults.set(request, error);
      return undefined;
    },
  });

  return async (incoming, response) => {
    response.setHeader("Tus-Resumable", tusVersion);
    const caller = admit(incoming, response);
    if (caller === undefined) return;
    const refusal = tusRefusal(incoming, caller);
    if (refusal !== undefined) return writeError(response, refusal.status, refusal.msg, refusal);
    const request = toRequest(incoming);
    callers.set(request, caller);
    const answer = await server.handleWeb(request);
    if (faults.has(request)) throw faults.get(request);
    if (answer.status >= 400) {
      // The library answers 403 and 501 where the contract has 400 for a request that is not right.
      const status = [403, 501].includes(answer.status) ? 400 : answer.status;
      const fault = status >= 500 ? { code: "INTERNAL_SERVER_ERROR" } : {};
      return writeError(response, status, (await answer.text()).trim(), fault);
    }
    const body = await answer.text();
    response.writeHead(answer.status, headersOf(answer, body));
    response.end(body);
  };
}

/** The headers of the library, but for those that invite pages of other origins, which nothing else here does. */
function headersOf({ status, headers }: Response, body: string): Record<string, string> {
  const kept = [...headers].filter(
    ([name]) => !name.startsWith("access-control-") && (body !== "" || name !== "content-type"),
  );
  return {
    ...Object.fromEntries(kept),
    ...(status === 204 ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = "", url = "" } = incoming;
  const headers = new Headers();
  for (const name of protocolHeaders) {
    const value = incoming.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const hasBody = method === "POST" || method === "PATCH";
  const body = hasBody
    ? {
        body: Readable.toWeb(Readable.from(receiveBody(incoming), { objectMode: false })) as BodyInit,
        duplex: "half" as const,
      }
    : {};
  const request = new Request(new URL(url.split("?", 1)[0] ?? "", "http://localhost"), { method, headers, ...body });
  // By this the library sees that the client is gone, and keeps what has arrived.
  return Object.assign(request, { runtime: { name: "node", node: { req: incoming } } });
}

/** The version of the tus protocol that the server speaks. */
const tusVersion = "1.0.0";

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
function tusRefusal(request: IncomingMessage, { user, realm }: Caller): TusRefusal | undefined {
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

interface Holder {
  readonly requestRelease: () => Promise<void> | void;
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** How long a request waits for another one on the same upload. */
const longestWaitMs = 30_000;

/** Makes the locks of resumable uploads: one request at a time for each. A request that has to wait asks the other one to end. */
function createLocker(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock: (id) => ({
      lock: async (signal, requestRelease) => {
        const enough = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
        for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
          await holder.requestRelease();
          await endOf(holder.released, enough);
          if (signal.aborted) throw ERRORS.ABORTED;
          if (enough.aborted) throw { status_code: 423, body: "Another request works on this upload" };
        }
        let release = () => {};
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        holders.set(id, { requestRelease, released, release });
      },
      unlock: async () => {
        const holder = holders.get(id);
        holders.delete(id);
        holder?.release();
      },
    }),
  };
}

/** Resolves when the promise does, or the signal is aborted. */
function endOf(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done);
    void promise.then(done);
  });
}
