import type { MarkdownIt } from "markdown-it";
import { type RenderState, renderStateOf } from "./render-state.js";
import { linkRel } from "./safe-url.js";
import { endsInWord } from "./word-boundary.js";

/** A link in a message to a channel or one of its topics. */
export interface ChannelLink {
  readonly id: number;
  readonly name: string;
  readonly topic: string | undefined;
}

/** Type of the tokens that carry a channel link, in `meta.channelLink`. */
const channelLinkToken = "channel_link";

const channelPattern = /#\*\*([^*\n]{1,300})\*\*/y;

function channelAt(text: string, position: number, { context, lookUp }: RenderState) {
  if (endsInWord(text.slice(Math.max(0, position - 2), position))) return undefined;
  channelPattern.lastIndex = position;
  const [written, content = ""] = channelPattern.exec(text) ?? [];
  if (written === undefined) return undefined;
  const [, name = content, topic] = /^([^>]+)>(.+)$/.exec(content) ?? [];
  const channel = lookUp("channel", name, () => context.findChannel(name));
  return channel && { link: { id: channel.id, name: channel.name, topic }, end: position + written.length };
}

/** The plain text of a channel link. */
export function channelLinkText({ name, topic }: ChannelLink): string {
  return topic === undefined ? `#${name}` : `#${name} > ${topic}`;
}

/** The channel link that a token carries, if it carries one. */
export function channelLinkOf(token: { readonly type: string; readonly meta: unknown }): ChannelLink | undefined {
  if (token.type !== channelLinkToken) return undefined;
  return (token.meta as { readonly channelLink: ChannelLink }).channelLink;
}

/** A markdown-it plugin for `#**channel**` and `#**channel>topic**`. An unknown channel stays text. */
export function channelLinks(md: MarkdownIt): void {
  md.inline.ruler.before("emphasis", "channel_link", (state, silent) => {
    if (state.src[state.pos] !== "#") return false;
    const found = channelAt(state.src, state.pos, renderStateOf(state.env));
    if (found === undefined || found.end > state.posMax) return false;
    if (!silent) state.push(channelLinkToken, "a", 0).meta = { channelLink: found.link };
    state.pos = found.end;
    return true;
  });
  md.renderer.rules[channelLinkToken] = (tokens, index) => {
    const token = tokens[index];
    const link = token && channelLinkOf(token);
    if (link === undefined) return "";
    const style = link.topic === undefined ? "stream" : "stream-topic";
    const href = `#narrow/${channelFragment(link, link.topic)}`;
    const text = md.utils.escapeHtml(channelLinkText(link));
    return `<a class="${style}" data-stream-id="${link.id}" href="${md.utils.escapeHtml(href)}" rel="${linkRel}">${text}</a>`;
  };
}

/** The part of a URL fragment that identifies a channel or one of its topics, as clients of this kind of service expect it. */
export function channelFragment({ id, name }: { readonly id: number; readonly name: string }, topic?: string): string {
  const channel = `channel/${id}-${encodeFragment(name.replaceAll(" ", "-"))}`;
  return topic === undefined ? channel : `${channel}/topic/${encodeFragment(topic)}`;
}

/** Encodes a text for a URL fragment: percent-encoding with a dot instead of the percent sign. */
function encodeFragment(text: string): string {
  return encodeURIComponent(text)
    .replace(/[.!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");
}
