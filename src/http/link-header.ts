import { parseUrl } from "../base/parse-url.js";

/** Finds the target of the first link of a relation, such as `next`, in a `Link` header (RFC 8288, section 3), resolved against a URL. */
export function linkOf(header: string, relation: string, url: string): string | undefined {
  for (const [, target = "", parameters = ""] of header.matchAll(
    /<([^<>]*)>((?:\s*;\s*[^=;,<>\s]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^",;<>]*))?)*)/g,
  )) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;<>]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? "").toLowerCase().split(/\s+/);
    if (relations.includes(relation)) return parseUrl(target, url)?.href;
  }
  return undefined;
}
