import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import { channelLinks } from "./channel-links.js";
import { linkifyPatterns } from "./linkify-patterns.js";
import { mentionOf, mentions } from "./mentions.js";
import { createRenderEnv, type RenderContext } from "./render-state.js";
import { codeLanguage, limits } from "./restrictions.js";
import { hrefOf, safeLinks } from "./safe-links.js";
import { uploadPath } from "./safe-url.js";

/** Facts about the content of a message. */
interface MessageFacts {
  /** Users mentioned by name or through a group, except silently. */
  readonly mentionedUserIds: ReadonlySet<number>;
  /** Mentions all, everyone, channel or stream. */
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
  /** The path_id of each linked upload. */
  readonly uploadPaths: ReadonlySet<string>;
}

/** A message as HTML, with facts about its content. */
export interface RenderedMessage extends MessageFacts {
  /** Safe to insert into a page. */
  readonly html: string;
  /** Begins with "/me ". */
  readonly isMe: boolean;
}

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  .use(limits)
  .use(mentions)
  .use(channelLinks)
  .use(linkifyPatterns)
  .use(safeLinks)
  .use(codeLanguage);

/**
 * Renders the Markdown of a message as HTML. Never throws. Time and output are bounded for content of up to 10,000 code points
 * (max_message_length), which the caller checks. Rule: "Get messages: GET /messages", `apply_markdown`.
 */
export function renderMessage(content: string, context: RenderContext): RenderedMessage {
  // Lone surrogates are not characters and cannot be encoded in URLs.
  const text = content.replace(/\p{Surrogate}/gu, "\u{FFFD}");
  const env = createRenderEnv(context);
  const tokens = markdown.parse(text, env);
  const html = markdown.renderer.render(tokens, markdown.options, env);
  return { html, ...messageFacts(tokens), isMe: content.startsWith("/me ") };
}

/** Collects the facts from the tokens of a message. Ignores silent mentions and links to channels. */
function messageFacts(tokens: readonly Token[]): MessageFacts {
  const inline = tokens.flatMap(({ children }) => children ?? []);
  const targets = inline.map(mentionOf).flatMap((mention) => (mention && !mention.silent ? [mention.target] : []));
  // Each group once, since a group may be large.
  const groups = new Map(targets.flatMap((target) => (target.kind === "group" ? [[target.id, target.memberIds]] : [])));
  const links = inline.filter(({ type }) => type === "link_open");
  return {
    mentionedUserIds: new Set([
      ...targets.flatMap((target) => (target.kind === "user" ? [target.id] : [])),
      ...[...groups.values()].flat(),
    ]),
    mentionsChannel: targets.some(({ kind }) => kind === "channel"),
    mentionsTopic: targets.some(({ kind }) => kind === "topic"),
    uploadPaths: new Set(links.map((link) => uploadPath(hrefOf(link))).filter((path) => path !== undefined)),
  };
}
