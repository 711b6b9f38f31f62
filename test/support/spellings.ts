/** The spellings in which secrets are found and masked. Each is as it follows "a secret". */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  verbatim: (text) => text,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (text) => encodeURIComponent(text).replace(/%../g, (digits) => digits.toLowerCase()),
  "percent-encoded wholly": (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  "percent-encoded as in a URL within a URL": (text) => encodeURIComponent(encodeURIComponent(text)),
  "form-encoded": (text) => new URLSearchParams({ value: text }).toString().slice("value=".length),
  "with + for spaces": (text) => text.replaceAll(" ", "+"),
  "in JSON": (text) => JSON.stringify(text).slice(1, -1),
  "in JSON in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "in JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "in JSON that JSON quotes": (text) => quoted(text, 2),
  "in JSON that JSON quotes that JSON quotes": (text) => quoted(text, 3),
  "in HTML": (text) => inMarkup(text),
  "in HTML by numbers": (text) => text.replace(/[^\w ]/gu, (character) => `&#${character.codePointAt(0)};`),
  "in HTML in JSON": (text) => JSON.stringify(inMarkup(text)).slice(1, -1),
  "in hexadecimal digits": (text) => Buffer.from(text).toString("hex"),
  "in hexadecimal digits in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "in base64 of JSON": (text) => Buffer.from(JSON.stringify({ value: text })).toString("base64"),
  "in JSON in a form": (text) => encodeURIComponent(JSON.stringify({ value: text })),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64url": (text) => Buffer.from(text).toString("base64url"),
  "in base64 with one character before": (text) => Buffer.from(`:${text}@`).toString("base64"),
  "in base64 with two characters before": (text) => Buffer.from(`u:${text}`).toString("base64url"),
  "in base64 of a URL": (text) => Buffer.from(`https://me:${encodeURIComponent(text)}@a.example/`).toString("base64"),
  "in base64 in a form": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
};

/** As most template engines escape it. */
function inMarkup(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "amp",
    "<": "lt",
    ">": "gt",
    '"': "quot",
    "'": "#x27",
    "/": "#x2F",
  };
  return text.replace(/[&<>"'/]/g, (character) => `&${names[character]};`);
}

function quoted(text: string, times: number): string {
  return times === 0 ? text : JSON.stringify(quoted(text, times - 1)).slice(1, -1);
}
