import type { Script, ScriptProblem } from "./script.js";
import { isSuccess, jsonOf, NotShownError, type ServerUnderTest } from "./server-under-test.js";
import { contentProblem, open } from "./upload-scripts.js";

/** Every byte value once: these bytes would not survive decoding as UTF-8 text. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

/** The scripts that upload with the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). */
export const tusScripts: readonly Script[] = [
  {
    workflowId: "uploads-tus-version-unprocessed",
    summary: "A request with an unsupported version changes nothing",
    kinds: ["unsupported-version"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const location = await create(server, everyByte.length);
      await patch(server, location, everyByte, { "Tus-Resumable": "0.0.1" });
      const asked = await head(server, location, "member");
      const problems: ScriptProblem[] = [];
      const offset = asked.headers.get("Upload-Offset");
      if (offset !== "0") {
        const text = `after a part with an unsupported version: expected Upload-Offset 0, got ${offset ?? "none"}`;
        problems.push({ kind: "unsupported-version", text });
      }
      const refused = await post(server, { "Tus-Resumable": "0.0.1", "Upload-Length": "8" });
      if (refused.headers.has("Location")) {
        problems.push({ kind: "unsupported-version", text: "a creation with an unsupported version has a Location" });
      }
      return problems;
    },
  },
  {
    workflowId: "uploads-tus-defer-length",
    summary: "The length can be deferred if the server names the extension",
    kinds: ["deferred-length"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const { path } = server.operationOf("deferred-length");
      const { headers } = await server.send({ method: "OPTIONS", url: path(), as: "member" });
      const extensions = (headers.get("Tus-Extension") ?? "").split(",").map((extension) => extension.trim());
      if (!extensions.includes("creation-defer-length")) {
        throw new NotShownError("the server does not have the extension creation-defer-length");
      }
      const { status } = await post(server, { "Tus-Resumable": "1.0.0", "Upload-Defer-Length": "1" });
      return status === 201
        ? []
        : [{ kind: "deferred-length", text: `a creation with a deferred length: expected status 201, got ${status}` }];
    },
  },
  {
    workflowId: "uploads-tus-read",
    summary: "A resumable upload belongs to its creator, and is read back byte for byte",
    kinds: ["tus-creator", "tus-read"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const location = await create(server, everyByte.length);
      const problems: ScriptProblem[] = [];
      const { status } = await head(server, location, "other");
      if (status < 400) {
        problems.push({ kind: "tus-creator", text: `another user asks for the offset: got status ${status}` });
      }
      const completed = await patch(server, location, everyByte, {});
      const { url } = jsonOf(completed);
      if (!isSuccess(completed)) throw new NotShownError(`no bytes could be uploaded: status ${completed.status}`);
      const text =
        typeof url === "string"
          ? contentProblem(await open(server, url, "member"), everyByte)
          : "the response that completes the upload has no `url`";
      if (text !== undefined) problems.push({ kind: "tus-read", text });
      return problems;
    },
  },
  {
    workflowId: "uploads-tus-metadata",
    summary: "A creation with malformed metadata is refused",
    kinds: ["tus-metadata"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const metadata = { "a repeated key": "filename YQ==,filename Yg==", "a value that is not base64": "filename %%" };
      const problems: ScriptProblem[] = [];
      for (const [what, value] of Object.entries(metadata)) {
        const { status } = await post(server, { ...version, "Upload-Length": "8", "Upload-Metadata": value });
        if (status !== 400) {
          problems.push({ kind: "tus-metadata", text: `metadata with ${what}: expected status 400, got ${status}` });
        }
      }
      return problems;
    },
  },
];

const version = { "Tus-Resumable": "1.0.0" };

function post(server: ServerUnderTest, headers: Readonly<Record<string, string>>) {
  const { method, path } = server.operationOf("interrupted-upload");
  return server.send({ method, url: path(), as: "member", headers });
}

/** Creates an upload and returns its URL. Throws a `NotShownError` if there is none, or at another origin. */
async function create(server: ServerUnderTest, length: number): Promise<string> {
  const { status, headers } = await post(server, { ...version, "Upload-Length": String(length) });
  const location = headers.get("Location");
  if (status !== 201 || location === null) throw new NotShownError(`no upload could be created: status ${status}`);
  const { path } = server.operationOf("interrupted-upload");
  const { href, origin } = new URL(location, new URL(path(), server.url));
  if (origin !== new URL(server.url).origin)
    throw new NotShownError("the upload is at an origin other than that of the API");
  return href;
}

function head(server: ServerUnderTest, location: string, as: string) {
  return server.send({ method: "HEAD", url: location, as, headers: version });
}

function patch(server: ServerUnderTest, location: string, bytes: Buffer, headers: Readonly<Record<string, string>>) {
  return server.send({
    ...{ method: "PATCH", url: location, as: "member" },
    headers: { ...version, "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0", ...headers },
    ...{ body: `${bytes.length} bytes`, bytes },
  });
}
