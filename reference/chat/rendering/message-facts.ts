import type { Token } from "markdown-it";
import { mentionOf } from "./mentions.js";
import { hrefOf } from "./safe-links.js";
import { uploadPath } from "./safe-url.js";

/** What a message contains, besides its text. */
export interface MessageFacts {
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
  readonly uploadPaths: ReadonlySet<string>;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
}

const IMAGE_FILE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

/** Collects what the tokens of a message contain. Silent mentions and links to channels do not count. */
export function messageFacts(tokens: readonly Token[]): MessageFacts {
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
