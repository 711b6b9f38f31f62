import type { MarkdownIt } from "markdown-it";
import { type RenderState, renderStateOf } from "./render-state.js";
import { endsInWord } from "./word-boundary.js";

/** The target of a mention. */
export type MentionTarget =
  | { readonly kind: "user"; readonly id: number; readonly name: string }
  | { readonly kind: "group"; readonly id: number; readonly name: string; readonly memberIds: readonly number[] }
  | { readonly kind: "channel"; readonly name: string }
  | { readonly kind: "topic"; readonly name: string };

/** A mention in a message. A silent one notifies no one. */
export interface Mention {
  readonly target: MentionTarget;
  readonly silent: boolean;
}

/** Type of the tokens that carry a mention, in `meta.mention`. */
const mentionToken = "mention";

const channelWildcards = ["all", "everyone", "channel", "stream"];
const topicWildcard = "topic";
// Longer names are not looked up; the contract allows only shorter ones.
const userPattern = /@(_?)\*\*([^*\n]{1,200})\*\*/y;
const groupPattern = /@(_?)\*([^*\n]{1,200})\*(?!\*)/y;

function userTarget(written: string, { context, lookUp }: RenderState): MentionTarget | undefined {
  if (channelWildcards.includes(written)) return { kind: "channel", name: written };
  if (written === topicWildcard) return { kind: "topic", name: written };
  const [, name = written, id] = /^(.+)\|(\d{1,15})$/.exec(written) ?? [];
  const user = lookUp("user", written, () =>
    id === undefined ? context.findUser(name) : context.findUser(name, Number(id)),
  );
  return user && { kind: "user", id: user.id, name: user.name };
}

function groupTarget(name: string, { context, lookUp }: RenderState): MentionTarget | undefined {
  const group = lookUp("group", name, () => context.findGroup(name));
  return group && { kind: "group", id: group.id, name: group.name, memberIds: group.memberIds };
}

/** Parses the mention at a position of a text. Returns it with its end; undefined if there is none or its name is unknown. */
function mentionAt(text: string, position: number, state: RenderState): { mention: Mention; end: number } | undefined {
  if (endsInWord(text.slice(Math.max(0, position - 2), position))) return undefined;
  for (const [pattern, find] of [
    [userPattern, userTarget],
    [groupPattern, groupTarget],
  ] as const) {
    pattern.lastIndex = position;
    const [written, silent, name = ""] = pattern.exec(text) ?? [];
    const target = written === undefined ? undefined : find(name, state);
    if (written !== undefined && target !== undefined) {
      return { mention: { target, silent: silent === "_" }, end: position + written.length };
    }
  }
  return undefined;
}

function openTag({ target, silent }: Mention): string {
  const silently = silent ? " silent" : "";
  switch (target.kind) {
    case "user":
      return `<span class="user-mention${silently}" data-user-id="${target.id}">`;
    case "group":
      return `<span class="user-group-mention${silently}" data-user-group-id="${target.id}">`;
    case "channel":
      return `<span class="user-mention channel-wildcard-mention${silently}" data-user-id="*">`;
    case "topic":
      return `<span class="topic-mention${silently}" data-user-id="*">`;
  }
}

/** The plain text of a mention: the name, after an "@" unless the mention is silent. */
function mentionText({ target, silent }: Mention): string {
  return silent ? target.name : `@${target.name}`;
}

/** The mention that a token carries, if it carries one. */
export function mentionOf(token: { readonly type: string; readonly meta: unknown }): Mention | undefined {
  if (token.type !== mentionToken) return undefined;
  return (token.meta as { readonly mention: Mention }).mention;
}

/**
 * A markdown-it plugin for mentions: `@**Name**`, `@**Name|id**` and wildcards, `@*group*`, each silent with `@_`. An unknown
 * name stays text.
 */
export function mentions(md: MarkdownIt): void {
  md.inline.ruler.before("emphasis", "mention", (state, silent) => {
    if (state.src[state.pos] !== "@") return false;
    const found = mentionAt(state.src, state.pos, renderStateOf(state.env));
    if (found === undefined || found.end > state.posMax) return false;
    if (!silent) state.push(mentionToken, "span", 0).meta = { mention: found.mention };
    state.pos = found.end;
    return true;
  });
  md.renderer.rules[mentionToken] = (tokens, index) => {
    const token = tokens[index];
    const mention = token && mentionOf(token);
    if (mention === undefined) return "";
    return `${openTag(mention)}${md.utils.escapeHtml(mentionText(mention))}</span>`;
  };
}
