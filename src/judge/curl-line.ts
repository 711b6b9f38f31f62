import { shellQuoted, shellWord } from "../base/shell-word.js";
import type { HttpPart, HttpRequest } from "./http-message.js";

const form = "application/x-www-form-urlencoded";
/** Longer files are referenced by name instead of being written into the command. */
const maxFileLength = 2000;

/**
 * Builds the `curl` command that repeats a request, quoted for a POSIX shell.
 *
 * `***` replaces the key of credentials, unless `showsKey`. A file of a multipart body is inlined if it is a short text; otherwise the
 * command reads a file of the same name from the working directory.
 */
export async function curlLine(
  { method, url, headers, body }: HttpRequest,
  { showsKey = false }: { readonly showsKey?: boolean } = {},
): Promise<string> {
  const isForm = typeof body === "string" && formFields(headers, body) !== undefined;
  const hasBody = body !== undefined && body !== "";
  const words = [
    "curl",
    ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ["--path-as-is"] : []),
    ...methodWords(method, hasBody),
    ...Object.entries(headers).flatMap(([name, value]) => headerWords(name, value, { isForm, body, showsKey })),
    ...(hasBody ? await bodyWords(headers, body) : []),
    url,
  ];
  const line = words.map(shellWord).join(" ");
  // Command-line arguments cannot contain NUL.
  return typeof body === "string" && body.includes("\0") ? `printf ${shellQuoted(printfFormat(body))} | ${line}` : line;
}

function methodWords(method: string, hasBody: boolean): string[] {
  const implied = hasBody ? "POST" : "GET";
  if (method === implied) return [];
  return method === "HEAD" ? ["--head"] : ["-X", method];
}

function headerWords(
  name: string,
  value: string,
  {
    isForm,
    body,
    showsKey,
  }: { readonly isForm: boolean; readonly body: HttpRequest["body"]; readonly showsKey: boolean },
): string[] {
  const lower = name.toLowerCase();
  if (lower === "content-length") return [];
  if (lower === "content-type") {
    // curl adds these headers itself, including the multipart boundary.
    if (isForm && value === form) return [];
    if (Array.isArray(body)) return [];
  }
  if (lower === "authorization" || lower === "proxy-authorization") return credentialWords(name, value, showsKey);
  return ["-H", value === "" ? `${name};` : `${name}: ${value}`];
}

function credentialWords(name: string, value: string, showsKey: boolean): string[] {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(value) ?? [];
  const [user, ...rest] = decodeBase64(encoded ?? "").split(":");
  const key = rest.length === 0 ? undefined : rest.join(":");
  const isPlain =
    name.toLowerCase() === "authorization" && user !== undefined && key !== undefined && !/\p{Cc}/u.test(user);
  return isPlain ? ["-u", `${user}:${showsKey ? key : "***"}`] : ["-H", `${name}: ${showsKey ? value : "***"}`];
}

/** Decodes base64 to text, also in browsers. Empty if it is malformed. */
function decodeBase64(encoded: string): string {
  try {
    const bytes = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

async function bodyWords(headers: HttpRequest["headers"], body: string | readonly HttpPart[]): Promise<string[]> {
  if (typeof body !== "string") {
    const parts = await Promise.all(body.map(partWords));
    return parts.flat();
  }
  if (body.includes("\0")) return ["--data-binary", "@-"];
  const fields = formFields(headers, body);
  if (fields === undefined) return ["--data-raw", body];
  return fields.flatMap(([name, value]) => ["--data-urlencode", `${name}=${value}`]);
}

/** The fields of a form; undefined if curl would not encode them to the same body. */
function formFields(headers: HttpRequest["headers"], body: string): [string, string][] | undefined {
  const [, type = ""] = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type") ?? [];
  if (!type.toLowerCase().startsWith(form) || body.includes("%00")) return undefined;
  const fields = [...new URLSearchParams(body)];
  const roundTrips = new URLSearchParams(fields).toString() === body;
  return roundTrips && fields.every(([name]) => /^[\w.-]+$/.test(name)) ? fields : undefined;
}

async function partWords([name, value, textType]: HttpPart): Promise<string[]> {
  if (typeof value === "string")
    return textType === undefined
      ? ["--form-string", `${name}=${value}`]
      : ["-F", `${name}=${inDoubleQuotes(value)};type=${textType}`];
  const text = await value.text();
  const isShort = text.length <= maxFileLength && !text.includes("\0") && !text.includes("\ufffd");
  const type = value.type === "" ? "" : `;type=${value.type}`;
  const fileName = `filename=${inDoubleQuotes(value.name)}`;
  return ["-F", `${name}=${isShort ? inDoubleQuotes(text) : `@${inDoubleQuotes(value.name)}`};${fileName}${type}`];
}

/** Quotes text for a value of `curl -F`. */
function inDoubleQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function printfFormat(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("\0", "\\000");
}
