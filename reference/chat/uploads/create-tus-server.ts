import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { ERRORS, type Locker, Server, type Upload } from "@tus/server";
import { Refusal } from "../../../src/chat/server/index.js";
import { receiveBody, SlowBodyError } from "../../../src/http/receive-body.js";
import type { Admission } from "../http/admission.js";
import { writeError } from "../http/node-http.js";
import type { Caller, Services } from "../services.js";
import { maxUploadBytes, tooLargeMessage } from "./attachments.js";
import { PartStore } from "./part-store.js";
import { createPartId, creatorOf, nameInMetadata, tusPath } from "./parts.js";

/** The headers of the protocol; no others reach the library. */
const protocolHeaders = [
  "content-length",
  "content-type",
  "tus-resumable",
  "upload-concat",
  "upload-length",
  "upload-metadata",
  "upload-offset",
];
/** Time for a request to finish after another one starts to wait for it. */
const drainMs = 1000;

/**
 * Creates the handler of `/api/v1/tus`: resumable uploads with the tus protocol 1.0.0, with creation, creation-with-upload and
 * termination. A complete upload is an attachment like any other; the response to its last request is that of `uploadFile`.
 * Errors have the envelope. Uploads survive a restart with the same data folder (Upload a file; Versioning 296).
 */
export function createTusServer(
  services: Services,
  admit: Admission,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const callers = new WeakMap<Request, Caller>();
  const faults = new WeakMap<Request, unknown>();
  const store = new PartStore(services);

  function callerOf(request: Request): Caller {
    const caller = callers.get(request);
    if (caller === undefined) throw new Error("the request has no caller");
    return caller;
  }

  const server = new Server({
    path: tusPath,
    datastore: store,
    // Of requests to several servers, the transactions of the database let only one add bytes.
    locker: createLocker(),
    lockDrainTimeout: drainMs,
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    allowedOrigins: () => false,
    namingFunction: (request) => createPartId(callerOf(request).user),
    maxSize: (request) => maxUploadBytes(callerOf(request).realm),
    onUploadCreate: async (_request, upload) => {
      nameInMetadata(upload.metadata);
      return {};
    },
    onUploadFinish: async ({ method }, { id }: Upload) => {
      const { url, filename } = await store.responseOf(id);
      return {
        // 200, because the protocol's 204 cannot have a body; a creation stays 201.
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
    const caller = await admit(incoming, response);
    if (caller === undefined) return;
    const refusal = tusRefusal(incoming, caller);
    if (refusal !== undefined) return writeError(response, refusal.status, refusal.msg, refusal);
    const bytes = Readable.from(receiveBody(incoming), { objectMode: false });
    let slow: SlowBodyError | undefined;
    bytes.on("error", (error) => {
      if (error instanceof SlowBodyError) slow = error;
    });
    const request = toRequest(incoming, bytes);
    callers.set(request, caller);
    const answer = await server.handleWeb(request);
    // The library would treat it as a disconnected client.
    if (slow !== undefined) return writeError(response, 408, slow.message, { headers: { Connection: "close" } });
    if (faults.has(request)) throw faults.get(request);
    if (answer.status >= 400) {
      // The library uses 403 and 501 for invalid requests, where the contract has 400.
      const status = [403, 501].includes(answer.status) ? 400 : answer.status;
      const fault = status >= 500 ? { code: "INTERNAL_SERVER_ERROR" } : {};
      return writeError(response, status, (await answer.text()).trim(), fault);
    }
    const body = await answer.text();
    response.writeHead(answer.status, headersOf(answer, body));
    response.end(body);
  };
}

/** The headers of the library, except those for CORS: `page-access.ts` decides who may call the server. */
function headersOf({ status, headers }: Response, body: string): Record<string, string> {
  const kept = [...headers].filter(
    ([name]) => !name.startsWith("access-control-") && (body !== "" || name !== "content-type"),
  );
  return {
    ...Object.fromEntries(kept),
    ...(status === 204 ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
}

function toRequest(incoming: IncomingMessage, bytes: Readable): Request {
  const { method = "", url = "" } = incoming;
  const headers = new Headers();
  for (const name of protocolHeaders) {
    const value = incoming.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const hasBody = method === "POST" || method === "PATCH";
  const body = hasBody ? { body: Readable.toWeb(bytes) as BodyInit, duplex: "half" as const } : {};
  const request = new Request(new URL(url.split("?", 1)[0] ?? "", "http://localhost"), { method, headers, ...body });
  // Lets the library detect that the client disconnected, so that it keeps the received bytes.
  return Object.assign(request, { runtime: { name: "node", node: { req: incoming } } });
}

/** The supported version of the tus protocol. */
const tusVersion = "1.0.0";

/** The refusal of a request. */
export interface TusRefusal {
  readonly status: number;
  readonly msg: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const methods = { collection: "OPTIONS, POST", upload: "DELETE, HEAD, OPTIONS, PATCH" } as const;

/**
 * Makes the checks that the library does not: an upload belongs to the caller, its id is valid before it becomes part of a
 * path, and statuses match the contract (paths/tus.yaml). Undefined if the library may handle the request.
 */
function tusRefusal(request: IncomingMessage, { user, realm }: Caller): TusRefusal | undefined {
  const { method = "", url = "", headers } = request;
  const path = url.split("?", 1)[0] ?? "";
  const isCollection = path === tusPath || path === `${tusPath}/`;
  if (!isCollection && !isCreator(user, path.slice(tusPath.length + 1))) {
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
    return { status: 400, msg: "Upload-Defer-Length is not supported; send Upload-Length" };
  }
  if (length === undefined) return { status: 400, msg: "Upload-Length is missing" };
  return Number(length) > maxUploadBytes(realm) ? { status: 413, msg: tooLargeMessage(realm) } : undefined;
}

function isCreator({ id, realm_id }: Caller["user"], partId: string): boolean {
  const creator = creatorOf(partId);
  return creator?.id === id && creator.realm_id === realm_id;
}

interface Holder {
  readonly requestRelease: () => Promise<void> | void;
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** Maximum time that a request waits for another one on the same upload. */
const maxWaitMs = 30_000;

/**
 * Creates the locks of resumable uploads, which allow one request at a time for each. A waiting request asks the other one to
 * finish.
 */
function createLocker(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock: (id) => ({
      lock: async (signal, requestRelease) => {
        const enough = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
        for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
          await holder.requestRelease();
          await endOf(holder.released, enough);
          if (signal.aborted) throw ERRORS.ABORTED;
          if (enough.aborted) throw { status_code: 423, body: "Another request is using this upload" };
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

/** Resolves when the promise resolves or the signal is aborted. */
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
