import { encodeFragment } from "./encode-fragment.js";

/** The part of the fragment of a URL that stands for a channel, or a topic of one (field). */
export function channelFragment({ id, name }: { readonly id: number; readonly name: string }, topic?: string): string {
  const channel = `channel/${id}-${encodeFragment(name.replaceAll(" ", "-"))}`;
  return topic === undefined ? channel : `${channel}/topic/${encodeFragment(topic)}`;
}
