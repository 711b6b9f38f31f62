import { NotShownError, type Script, type ScriptProblem } from "./script.js";
import { isSuccess, jsonOf, type Stage } from "./stage.js";
import { contentProblem, open } from "./upload-scripts.js";

/** Every byte once, which no encoding of text keeps. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

/** The scripts that upload by the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). */
export const tusScripts: readonly Script[] = [
  {
    workflowId: "uploads-tus-version-unprocessed",
    summary: "A request with an unsupported version changes nothing",
    kinds: ["unsupported-version"],
    run: async (stage) => {
      await stage.setUp({ state: "organization" });
      const location = await create(stage, everyByte.length);
      await patch(stage, location, everyByte, { "Tus-Resumable": "0.0.1" });
      const asked = await head(stage, location, "member");
      const problems: ScriptProblem[] = [];
      const offset = asked.headers.get("Upload-Offset");
      if (offset !== "0") {
        const text = `after a part with an unsupported version: expected Upload-Offset 0, got ${offset ?? "none"}`;
        problems.push({ kind: "unsupported-version", text });
      }
      const refused = await post(stage, { "Tus-Resumable": "0.0.1", "Upload-Length": "8" });
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
    run: async (stage) => {
      await stage.setUp({ state: "organization" });
      const { path } = stage.operationOf("deferred-length");
      const { headers } = await stage.send({ method: "OPTIONS", url: path(), as: "member" });
      const extensions = (headers.get("Tus-Extension") ?? "").split(",").map((extension) => extension.trim());
      if (!extensions.includes("creation-defer-length")) {
        throw new NotShownError("the server does not have the extension creation-defer-length");
      }
      const { status } = await post(stage, { "Tus-Resumable": "1.0.0", "Upload-Defer-Length": "1" });
      return status === 201
        ? []
        : [{ kind: "deferred-length", text: `a creation with a deferred length: expected status 201, got ${status}` }];
    },
  },
  {
    workflowId: "uploads-tus-read",
    summary: "A resumable upload belongs to its creator, and is read back byte for byte",
    kinds: ["tus-creator", "tus-read"],
    run: async (stage) => {
      await stage.setUp({ state: "organization" });
      const location = await create(stage, everyByte.length);
      const problems: ScriptProblem[] = [];
      const { status } = await head(stage, location, "other");
      if (status < 400) {
        problems.push({ kind: "tus-creator", text: `another user asks for the offset: got status ${status}` });
      }
      const completed = await patch(stage, location, everyByte, {});
      const { url } = jsonOf(completed);
      if (!isSuccess(completed)) throw new NotShownError(`no bytes could be uploaded: status ${completed.status}`);
      const text =
        typeof url === "string"
          ? contentProblem(await open(stage, url, "member"), everyByte)
          : "the response that completes the upload has no `url`";
      if (text !== undefined) problems.push({ kind: "tus-read", text });
      return problems;
    },
  },
  {
    workflowId: "uploads-tus-metadata",
    summary: "A creation with malformed metadata is refused",
    kinds: ["tus-metadata"],
    run: async (stage) => {
      await stage.setUp({ state: "organization" });
      const metadata = { "a repeated key": "filename YQ==,filename Yg==", "a value that is not base64": "filename %%" };
      const problems: ScriptProblem[] = [];
      for (const [what, value] of Object.entries(metadata)) {
        const { status } = await post(stage, { ...version, "Upload-Length": "8", "Upload-Metadata": value });
        if (status !== 400) {
          problems.push({ kind: "tus-metadata", text: `metadata with ${what}: expected status 400, got ${status}` });
        }
      }
      return problems;
    },
  },
];

const version = { "Tus-Resumable": "1.0.0" };

function post(stage: Stage, headers: Readonly<Record<string, string>>) {
  const { method, path } = stage.operationOf("interrupted-upload");
  return stage.send({ method, url: path(), as: "member", headers });
}

/** Creates an upload and returns its URL. Throws a `NotShownError` if there is none, or at another origin. */
async function create(stage: Stage, length: number): Promise<string> {
  const { status, headers } = await post(stage, { ...version, "Upload-Length": String(length) });
  const location = headers.get("Location");
  if (status !== 201 || location === null) throw new NotShownError(`no upload could be created: status ${status}`);
  const { path } = stage.operationOf("interrupted-upload");
  const { href, origin } = new URL(location, new URL(path(), stage.url));
  if (origin !== new URL(stage.url).origin)
    throw new NotShownError("the upload is at an origin other than that of the API");
  return href;
}

function head(stage: Stage, location: string, as: string) {
  return stage.send({ method: "HEAD", url: location, as, headers: version });
}

function patch(stage: Stage, location: string, bytes: Buffer, headers: Readonly<Record<string, string>>) {
  return stage.send({
    ...{ method: "PATCH", url: location, as: "member" },
    headers: { ...version, "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0", ...headers },
    ...{ body: `${bytes.length} bytes`, bytes },
  });
}
