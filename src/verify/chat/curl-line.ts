import { shellQuoted, shellWord } from "../../shell-word.js";

/** A request over HTTP, for people. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the parts of a multipart body. */
  readonly body?: string | readonly HttpPart[];
}

/** A part of a `multipart/form-data` body. */
export type HttpPart = readonly [name: string, value: string | File];

const form = "application/x-www-form-urlencoded";
/** Longer files are named, and not written out. */
const longestFile = 2000;

/**
 * The `curl` command that repeats a request, quoted for a POSIX shell.
 *
 * Credentials are left out: `***` stands in the place of the key. A file of a multipart body is written out when it is a short text,
 * otherwise it is one to be found in the folder where the command runs.
 */
export async function curlLine({ method, url, headers, body }: HttpRequest): Promise<string> {
  const isForm = typeof body === "string" && formFields(headers, body) !== undefined;
  const hasBody = body !== undefined && body !== "";
  const words = [
    "curl",
    ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ["--path-as-is"] : []),
    ...methodWords(method, hasBody),
    ...Object.entries(headers).flatMap(([name, value]) => headerWords(name, value, { isForm, body })),
    ...(hasBody ? await bodyWords(headers, body) : []),
    url,
  ];
  const line = words.map(shellWord).join(" ");
  // No argument of a command can hold this character.
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
  { isForm, body }: { readonly isForm: boolean; readonly body: HttpRequest["body"] },
): string[] {
  const lower = name.toLowerCase();
  if (lower === "content-length") return [];
  if (lower === "content-type") {
    // curl says these by itself, the boundary of a multipart body included.
    if (isForm && value === form) return [];
    if (Array.isArray(body)) return [];
  }
  if (lower === "authorization" || lower === "proxy-authorization") return credentialWords(name, value);
  return ["-H", value === "" ? `${name};` : `${name}: ${value}`];
}

function credentialWords(name: string, value: string): string[] {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(value) ?? [];
  const [user, key] = Buffer.from(encoded ?? "", "base64")
    .toString("utf8")
    .split(":", 2);
  const isPlain =
    name.toLowerCase() === "authorization" && user !== undefined && key !== undefined && !/\p{Cc}/u.test(user);
  return isPlain ? ["-u", `${user}:***`] : ["-H", `${name}: ***`];
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

/** The fields of a form, when curl makes the same of them again. */
function formFields(headers: HttpRequest["headers"], body: string): [string, string][] | undefined {
  const [, type = ""] = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type") ?? [];
  if (!type.toLowerCase().startsWith(form) || body.includes("%00")) return undefined;
  const fields = [...new URLSearchParams(body)];
  const isSame = new URLSearchParams(fields).toString() === body;
  return isSame && fields.every(([name]) => /^[\w.-]+$/.test(name)) ? fields : undefined;
}

async function partWords([name, value]: HttpPart): Promise<string[]> {
  if (typeof value === "string") return ["--form-string", `${name}=${value}`];
  const text = await value.text();
  const isShort = text.length <= longestFile && !text.includes("\0") && !text.includes("\ufffd");
  const type = value.type === "" ? "" : `;type=${value.type}`;
  const fileName = `filename=${inDoubleQuotes(value.name)}`;
  return ["-F", `${name}=${isShort ? inDoubleQuotes(text) : `@${inDoubleQuotes(value.name)}`};${fileName}${type}`];
}

/** As `curl -F` reads it. */
function inDoubleQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function printfFormat(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("\0", "\\000");
}
