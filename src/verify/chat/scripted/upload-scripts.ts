import type { ReceivedResponse } from "../exchange/http-message.js";
import type { Script, ScriptProblem } from "./script.js";
import { isSuccess, jsonOf, NotShownError, type ServerUnderTest } from "./server-under-test.js";

/** Every byte value once: these bytes would not survive decoding as UTF-8 text. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

/** The scripts that upload files and open them. */
export const uploadScripts: readonly Script[] = [
  {
    workflowId: "uploads-read",
    summary: "Two uploads of the same name are read back byte for byte",
    kinds: ["upload-url", "upload-read"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const files = [everyByte, Buffer.from(everyByte).reverse()];
      const urls: string[] = [];
      for (const bytes of files) urls.push((await upload(server, bytes)).url);
      const problems: ScriptProblem[] = [];
      if (urls[0] === urls[1]) problems.push({ kind: "upload-url", text: "two different files have the same URL" });
      for (const [index, bytes] of files.entries()) {
        const text = contentProblem(await open(server, urls[index] ?? "", "member"), bytes);
        if (text !== undefined && urls[0] !== urls[1]) problems.push({ kind: "upload-read", text });
      }
      return problems;
    },
  },
  {
    workflowId: "uploads-share",
    summary: "Others open an upload only after a message shares it",
    kinds: ["upload-unshared", "upload-shared"],
    run: async (server) => {
      await server.setUp({ state: "channel", params: { name: "costumes", subscribers: ["member", "other"] } });
      const { url, filename } = await upload(server, everyByte);
      await requireOpen(server, url);
      const problems: ScriptProblem[] = [];
      for (const as of ["other", "owner", undefined]) {
        if (!isSuccess(await open(server, url, as))) continue;
        const who = as ?? "a caller without credentials";
        problems.push({ kind: "upload-unshared", text: `${who} opens the upload before it was shared` });
      }
      await server.setUp({
        state: "message",
        params: { from: "member", channel: "costumes", topic: "masks", content: "Try it on:", links: [filename] },
      });
      const text = contentProblem(await open(server, url, "other"), everyByte);
      if (text !== undefined) problems.push({ kind: "upload-shared", text: `after it was shared: ${text}` });
      return problems;
    },
  },
  {
    workflowId: "uploads-delete",
    summary: "A deleted upload cannot be opened",
    kinds: ["upload-deleted"],
    run: async (server) => {
      const { values } = await server.setUp({ state: "attachment", params: { name: "old-script.txt" } });
      const url = String(values.url);
      await requireOpen(server, url);
      const { method, path } = server.operationOf("upload-deleted");
      const { status } = await server.send({ method, url: path(values), as: "member" });
      if (status !== 200) throw new NotShownError(`the upload could not be deleted: status ${status}`);
      return isSuccess(await open(server, url, "member"))
        ? [{ kind: "upload-deleted", text: "the deleted upload can still be opened" }]
        : [];
    },
  },
  {
    workflowId: "uploads-limit",
    summary: "A limit of 1 MiB is 1,048,576 bytes",
    kinds: ["upload-limit", "upload-over-limit"],
    run: async (server) => {
      const params = { settings: { max_file_upload_size_mib: 1 } };
      await server.setUp({ state: "organization", params });
      const largest = await sendFile(server, [Buffer.alloc(1024 * 1024, "m")]);
      const larger = await sendFile(server, [Buffer.alloc(1024 * 1024 + 1, "m")]);
      return [
        ...(isSuccess(largest)
          ? []
          : [{ kind: "upload-limit", text: `a file of 1 MiB: expected status 200, got ${largest.status}` } as const]),
        ...(isSuccess(larger)
          ? [{ kind: "upload-over-limit", text: "a file of 1 MiB and one byte is stored" } as const]
          : []),
      ];
    },
  },
  {
    workflowId: "uploads-count",
    summary: "An upload has one file, which may be empty",
    kinds: ["upload-count", "upload-empty"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const problems: ScriptProblem[] = [];
      for (const [what, files] of Object.entries({ "no file": [], "two files": [everyByte, everyByte] })) {
        const response = await sendFile(server, files);
        const { code } = jsonOf(response);
        if (response.status >= 400 && code === "BAD_REQUEST") continue;
        const text = `${what}: expected an error with code BAD_REQUEST, got status ${response.status}`;
        problems.push({ kind: "upload-count", text });
      }
      const empty = await sendFile(server, [Buffer.alloc(0)]);
      if (!isSuccess(empty))
        problems.push({ kind: "upload-empty", text: `an empty file: expected status 200, got ${empty.status}` });
      return problems;
    },
  },
];

/** Uploads a file as `member`. Throws a `NotShownError` if the response has no URL. */
async function upload(
  server: ServerUnderTest,
  bytes: Buffer,
): Promise<{ readonly url: string; readonly filename: string }> {
  const response = await sendFile(server, [bytes]);
  const { url, uri, filename } = jsonOf(response);
  const path = url ?? uri;
  if (typeof path !== "string")
    throw new NotShownError(`no file could be uploaded: the answer with status ${response.status} has no URL`);
  return { url: path, filename: typeof filename === "string" ? filename : name };
}

const name = "cast.bin";

/** Sends files in a multipart form. A form without a file has another field. */
function sendFile(server: ServerUnderTest, files: readonly Buffer[]): Promise<ReceivedResponse> {
  const { method, path } = server.operationOf("upload-read");
  const parts = files.map((bytes) => {
    const file = new File([new Uint8Array(bytes)], name, { type: "application/octet-stream" });
    return ["file", file] as const;
  });
  return server.send({ method, url: path(), as: "member", body: parts.length === 0 ? [["colour", "blue"]] : parts });
}

/** Opens an upload. Throws a `NotShownError` if it is at another origin, which must not get the key. */
export function open(server: ServerUnderTest, url: string, as: string | undefined): Promise<ReceivedResponse> {
  const { origin } = new URL(url, server.url);
  if (origin !== new URL(server.url).origin)
    throw new NotShownError("the upload is at an origin other than that of the API");
  return server.send({ method: "GET", url, ...(as === undefined ? {} : { as }) });
}

/**
 * Throws a `NotShownError` unless a GET opens the upload and a GET of an unknown URL fails: a server that answers every URL shows no
 * upload.
 */
async function requireOpen(server: ServerUnderTest, url: string): Promise<void> {
  const { status } = await open(server, url, "member");
  if (status !== 200)
    throw new NotShownError(`a GET of the URL does not open the upload for its uploader: status ${status}`);
  if (isSuccess(await open(server, `${url}-unknown`, "member")))
    throw new NotShownError("a GET of an unknown URL succeeds as well");
}

/** Describes how a response differs from the uploaded bytes. */
export function contentProblem({ status, bytes }: ReceivedResponse, uploaded: Buffer): string | undefined {
  if (status !== 200) return `a GET of the URL: expected status 200, got ${status}`;
  if (bytes?.equals(uploaded)) return undefined;
  return `a GET of the URL returns ${bytes?.length ?? 0} bytes that differ from the ${uploaded.length} uploaded ones`;
}
