import { parseUrl } from "../../../parse-url.js";
import { StateSetupError } from "../states/states-client.js";
import { imageSize } from "./image-size.js";
import type { Script } from "./script.js";
import { isSuccess, jsonOf, NotShownError, type ServerUnderTest } from "./server-under-test.js";

const limitNames = ["max_topic_length", "max_message_length", "max_file_upload_size_mib"];

/** The scripts about the settings of an organization and the limits of a server. */
export const settingsScripts: readonly Script[] = [
  {
    workflowId: "conventions-register",
    summary: "The response of `POST /register` states the limits",
    kinds: ["register-limits"],
    run: async (server) => {
      await server.setUp({ state: "organization" });
      const response = await server.send({ method: "POST", url: "/api/v1/register", as: "member" });
      if (!isSuccess(response)) {
        throw new NotShownError(
          `a call of POST /register without parameters does not succeed: status ${response.status}`,
        );
      }
      // The requirements do not show the shape of the response, so a limit may be anywhere.
      const numbers = namesOfNumbers(jsonOf(response));
      return limitNames
        .filter((name) => !numbers.has(name))
        .map((name) => ({ kind: "register-limits", text: `the response of POST /register has no number \`${name}\`` }));
    },
  },
  {
    workflowId: "organization-logo",
    summary: "The logo of an organization is square",
    kinds: ["square-logo"],
    run: async (server) => {
      const url = await readLogoUrl(server);
      const parsed = parseUrl(url, server.url);
      if (parsed === undefined) return [{ kind: "square-logo", text: "`realm_icon` is not a URL" }];
      const { pathname, protocol, origin } = parsed;
      if (protocol !== "data:" && origin !== new URL(server.url).origin) {
        throw new NotShownError("the logo is at an origin other than that of the API");
      }
      const size = imageSize(protocol === "data:" ? decodeDataUrl(pathname) : await load(server, url));
      if (size === undefined) throw new NotShownError("the logo is not a PNG, GIF or SVG image with a size");
      if (size.width === size.height) return [];
      return [{ kind: "square-logo", text: `the logo has a size of ${size.width} × ${size.height}` }];
    },
  },
];

/** The names of all numbers in a JSON value, at any depth. */
function namesOfNumbers(value: unknown): Set<string> {
  const names = new Set<string>();
  const queue = [value];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (typeof inner === "number") names.add(name);
      else if (typeof inner === "object" && inner !== null) queue.push(inner);
    }
  }
  return names;
}

/** Reads the URL of the logo from the settings at the URL of the API, or else at the address of the organization. */
async function readLogoUrl(server: ServerUnderTest): Promise<string> {
  const { method, path } = server.operationOf("square-logo");
  const read = async (headers: Readonly<Record<string, string>>) =>
    jsonOf(await server.send({ method, url: path(), headers })).realm_icon;
  const here = await read({});
  if (typeof here === "string") return here;
  const { values } = await server.setUp({ state: "organization-address" }).catch((error: unknown) => {
    if (!(error instanceof StateSetupError) || error.status === undefined) throw error;
    return { values: {} as Readonly<Record<string, unknown>> };
  });
  const there = typeof values.host === "string" ? await read({ "X-Forwarded-Host": values.host }) : undefined;
  if (typeof there !== "string") throw new NotShownError("the settings have no `realm_icon`");
  return there;
}

async function load(server: ServerUnderTest, url: string): Promise<Buffer> {
  const response = await server.send({ method: "GET", url });
  if (!isSuccess(response)) throw new NotShownError(`the logo cannot be loaded: status ${response.status}`);
  return response.bytes ?? Buffer.from(response.text);
}

/** Decodes the path of a `data:` URL (RFC 2397). */
function decodeDataUrl(path: string): Buffer {
  const [, type = "", data = ""] = /^([^,]*),(.*)$/s.exec(path) ?? [];
  try {
    return Buffer.from(decodeURIComponent(data), /;base64$/i.test(type) ? "base64" : "utf8");
  } catch {
    throw new NotShownError("the logo is not encoded as a `data:` URL should be");
  }
}
