import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Server, type Upload } from "@tus/server";
import { Refusal } from "../../../src/chat/server/index.js";
import { receiveBody, SlowBodyError } from "../../../src/http/receive-body.js";
import type { Admission } from "../http/create-admission.js";
import { writeError } from "../http/write-error.js";
import type { Caller, Services } from "../services.js";
import { createLocker } from "./create-locker.js";
import { sentName } from "./finish-part.js";
import { createPartId } from "./part-records.js";
import { PartStore } from "./part-store.js";
import { mostUploadBytes } from "./size-limit.js";
import { tusPath, tusRefusal, tusVersion } from "./tus-refusal.js";

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
    const bytes = Readable.from(receiveBody(incoming), { objectMode: false });
    let slow: SlowBodyError | undefined;
    bytes.on("error", (error) => {
      if (error instanceof SlowBodyError) slow = error;
    });
    const request = toRequest(incoming, bytes);
    callers.set(request, caller);
    const answer = await server.handleWeb(request);
    // The library takes it for a client that is gone.
    if (slow !== undefined) return writeError(response, 408, slow.message, { headers: { Connection: "close" } });
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
  // By this the library sees that the client is gone, and keeps what has arrived.
  return Object.assign(request, { runtime: { name: "node", node: { req: incoming } } });
}
