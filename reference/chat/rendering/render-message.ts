import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import { channelLinks } from "./channel-links.js";
import type { CompiledLinkifier } from "./compile-linkifier.js";
import { linkifyPatterns } from "./linkify-patterns.js";
import { mentionOf, mentions } from "./mentions.js";
import { createRenderEnv } from "./render-state.js";
import { codeLanguage, imageLinks, limits } from "./restrictions.js";
import { hrefOf, safeLinks } from "./safe-links.js";
import { uploadPath } from "./safe-url.js";

/** What rendering needs to know of the organization. Each function is asked at most once for a name in a message. */
export interface RenderContext {
  /** In the order in which they apply. */
  readonly linkifiers: readonly CompiledLinkifier[];
  /** Finds a user by full name, and by id for `@**Name|12**`; undefined when there is none. */
  readonly findUser: (name: string, id?: number) => { id: number; name: string } | undefined;
  /** Finds an active group. */
  readonly findGroup: (name: string) => { id: number; name: string; memberIds: readonly number[] } | undefined;
  readonly findChannel: (name: string) => { id: number; name: string } | undefined;
}

/** A message as HTML, and what it contains. */
export interface RenderedMessage extends MessageFacts {
  /** Safe to insert into a page. */
  readonly html: string;
  /** Users mentioned by name or through a group, not silently. */
  readonly mentionedUserIds: ReadonlySet<number>;
  /** Mentions all, everyone, channel or stream. */
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
  /** The path_id of each upload linked or shown. */
  readonly uploadPaths: ReadonlySet<string>;
  /** Links something other than a channel. */
  readonly hasLink: boolean;
  /** Has `![alt](url)`, or links an upload whose name is an image file's. */
  readonly hasImage: boolean;
  /** Begins with "/me ". */
  readonly isMe: boolean;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  .use(limits)
  .use(mentions)
  .use(channelLinks)
  .use(imageLinks)
  .use(linkifyPatterns)
  .use(safeLinks)
  .use(codeLanguage);

/**
 * Renders the Markdown of a message as HTML. Never throws, whatever the content; its time and output are bounded for
 * content of up to 10,000 code points (max_message_length), which the caller checks. Rule: "Get messages: GET
 * /messages", `apply_markdown`.
 */
export function renderMessage(content: string, context: RenderContext): RenderedMessage {
  // Half a surrogate pair is no character, and URLs cannot be made of it.
  const text = content.replace(/\p{Surrogate}/gu, "\u{FFFD}");
  const env = createRenderEnv(context);
  const tokens = markdown.parse(text, env);
  const html = markdown.renderer.render(tokens, markdown.options, env);
  return { html, ...messageFacts(tokens), isMe: content.startsWith("/me ") };
}

/** What a message contains, besides its text. */
interface MessageFacts {
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
  readonly uploadPaths: ReadonlySet<string>;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
}

const IMAGE_FILE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

/** Collects what the tokens of a message contain. Silent mentions and links to channels do not count. */
function messageFacts(tokens: readonly Token[]): MessageFacts {
  const inline = tokens.flatMap(({ children }) => children ?? []);
  const targets = inline.map(mentionOf).flatMap((mention) => (mention && !mention.silent ? [mention.target] : []));
  // Mentioning a group again adds nobody, and a group may be large.
  const groups = new Map(targets.flatMap((target) => (target.kind === "group" ? [[target.id, target.memberIds]] : [])));
  const links = inline.filter(({ type }) => type === "link_open");
  const uploads = links.map((link) => uploadPath(hrefOf(link))).filter((path) => path !== undefined);
  return {
    mentionedUserIds: new Set([
      ...targets.flatMap((target) => (target.kind === "user" ? [target.id] : [])),
      ...[...groups.values()].flat(),
    ]),
    mentionsChannel: targets.some(({ kind }) => kind === "channel"),
    mentionsTopic: targets.some(({ kind }) => kind === "topic"),
    uploadPaths: new Set(uploads),
    hasLink: links.length > 0,
    hasImage: links.some(({ meta }) => meta?.image === true) || uploads.some((path) => IMAGE_FILE.test(path)),
  };
}
