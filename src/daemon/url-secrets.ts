import { parseUrl } from "../parse-url.js";
import { percentDecodeBytes } from "../percent-decode.js";
import { redacted, redactUrl } from "./redact.js";

/** How many levels of URLs nested in URLs are searched. */
const maxNesting = 2;

/**
 * The parts of a URL that can be secret, both as written and as the URL standard parses them. Unless the text is clearly an http or
 * https URL, every part can be secret, including the host.
 */
export function urlSecrets(text: string, depth = maxNesting): string[] {
  const pieces = [text, text.trim(), ...writtenPieces(text), ...parsedPieces(text)];
  if (depth === 0) return pieces;
  const nested = pieces.filter((piece) => piece !== text).map((piece) => percentDecodeBytes(piece).toString("utf8"));
  return [
    ...pieces,
    ...nested.filter((piece) => piece.includes("://")).flatMap((piece) => urlSecrets(piece, depth - 1)),
  ];
}

function writtenPieces(text: string): string[] {
  const [, rest = text] = /^\s*[a-z][a-z0-9+.-]*:[/\\]*(.*)$/is.exec(text) ?? [];
  const [beforeFragment, fragment] = cut(rest, "#");
  const [hierarchy, query] = cut(beforeFragment, "?");
  const start = hierarchy.search(/[/\\]/);
  const path = start < 0 ? "" : hierarchy.slice(start);
  // A password with an unescaped `/`, `?` or `#` extends beyond the apparent host.
  const credentials = rest.slice(0, Math.max(rest.lastIndexOf("@"), 0));
  const exposed = redactUrl(text) === redacted ? rest.split(/[/\\?#@:]/) : [];
  return [
    ...exposed,
    ...credentialPieces(credentials),
    ...pathPieces(path),
    ...queryPieces(query),
    ...queryPieces(fragment),
  ];
}

function parsedPieces(text: string): string[] {
  if (parseUrl(text) === undefined) return [];
  const { href, username, password, pathname, search, searchParams, hash } = new URL(text);
  return [
    href,
    username,
    password,
    ...pathPieces(pathname),
    ...queryPieces(search.slice(1)),
    ...searchParams.values(),
    ...queryPieces(hash.slice(1)),
  ];
}

function credentialPieces(credentials: string): string[] {
  return [credentials, ...cut(credentials, ":"), ...credentials.split(/[/\\?#@:]/)];
}

function pathPieces(path: string): string[] {
  return [path, path.slice(1), ...path.split(/[/\\]/)];
}

/** The query, and its values. A parameter without `=` counts as a value. */
function queryPieces(query: string): string[] {
  return [query, ...query.split(/[&;]/).map((pair) => (pair.includes("=") ? cut(pair, "=")[1] : pair))];
}

/** The parts before and after the first separator. */
function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
