import { parseUrl } from "../../../../src/base/parse-url.js";

const externalRel = "noopener noreferrer nofollow";
const pageUrl = "https://chat.example/messages";
const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };
const voidElements = ["br", "hr"];

interface Options {
  /** Whether linkifiers may lead to any path of the server. */
  readonly ownPaths: boolean;
}

const matches = (pattern: RegExp) => (value: string) => pattern.test(value);
const anything = () => true;
const id = matches(/^\d+$/);
const alignment = { style: matches(/^text-align:(left|center|right)$/) };

const allowedAttributes: Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>> = {
  a: {
    class: matches(/^(stream|stream-topic)$/),
    "data-stream-id": id,
    href: anything,
    rel: (value) => value === externalRel,
    target: (value) => value === "_blank",
    title: anything,
  },
  blockquote: {},
  br: {},
  code: { class: matches(/^language-[\w+#.-]+$/) },
  em: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  hr: {},
  li: {},
  ol: { start: id },
  p: {},
  pre: {},
  s: {},
  span: {
    class: matches(/^(user-mention|user-mention channel-wildcard-mention|user-group-mention|topic-mention)( silent)?$/),
    "data-user-id": matches(/^(\d+|\*)$/),
    "data-user-group-id": id,
  },
  strong: {},
  table: {},
  tbody: {},
  td: alignment,
  th: alignment,
  thead: {},
  tr: {},
  ul: {},
};

function isOutside(address: string): boolean {
  return new URL(address, pageUrl).origin !== new URL(pageUrl).origin;
}

/** Whether a message may link the URL as a browser resolves it on a page of the server. */
function isAllowedAddress(address: string, { ownPaths }: Options): boolean {
  if (parseUrl(address, pageUrl) === undefined) return false;
  const url = new URL(address, pageUrl);
  if (isOutside(address)) {
    return /^(https?|mailto):/i.test(address) && ["http:", "https:", "mailto:"].includes(url.protocol);
  }
  if (/^#narrow\/channel\/\d+-/.test(address) || /^https?:/i.test(address)) return true;
  return address.startsWith("/") && (ownPaths || url.pathname.startsWith("/user_uploads/"));
}

function badText(text: string): boolean {
  return /[<>"]/.test(text.replace(/&(?:amp|lt|gt|quot);/g, "")) || /&(?!(?:amp|lt|gt|quot);)/.test(text);
}

function isBadAddress(attribute: string, value: string, options: Options): boolean {
  return attribute === "href" && !isAllowedAddress(value, options);
}

function attributeViolations(tag: string, written: string, options: Options): string[] {
  const allowed = allowedAttributes[tag] ?? {};
  const attributes = [...written.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => ({
    name,
    raw: value,
    value: value.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity),
  }));
  const violations = attributes
    .filter(({ name, value, raw }) => badText(raw) || !allowed[name]?.(value) || isBadAddress(name, value, options))
    .map(({ name, value }) => `<${tag} ${name}="${value}">`);
  if (new Set(attributes.map(({ name }) => name)).size < attributes.length)
    violations.push(`<${tag}> repeats an attribute`);
  if (tag !== "a") return violations;
  const value = (wanted: string) => attributes.find(({ name }) => name === wanted)?.value;
  const href = value("href");
  if (href === undefined || value("rel") !== externalRel) violations.push("<a> without href or rel");
  if (href && /^(https?|mailto):/i.test(href) !== (value("target") === "_blank"))
    violations.push(`<a href="${href}"> target`);
  return violations;
}

/**
 * Lists the parts of HTML that are not allowed or not well-formed. Stricter than a browser: it accepts tags only as the
 * renderer writes them, and anything else is a violation.
 */
export function htmlViolations(html: string, options: Options = { ownPaths: false }): string[] {
  const violations: string[] = [];
  const open: string[] = [];
  let position = 0;
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g)) {
    const [written, slash, tag = "", attributes = ""] = match;
    const before = html.slice(position, match.index);
    position = match.index + written.length;
    if (badText(before)) violations.push(`text: ${before}`);
    if (!Object.hasOwn(allowedAttributes, tag)) violations.push(`<${tag}>`);
    if (slash === "/") {
      if (open.pop() !== tag || attributes !== "") violations.push(`unbalanced </${tag}>`);
      continue;
    }
    violations.push(...attributeViolations(tag, attributes, options));
    if (tag === "a" && open.includes("a")) violations.push("<a> inside <a>");
    if (!voidElements.includes(tag)) open.push(tag);
  }
  if (badText(html.slice(position))) violations.push(`text: ${html.slice(position)}`);
  return [...violations, ...open.map((tag) => `<${tag}> is not closed`)];
}
