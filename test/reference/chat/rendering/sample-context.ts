import { type CompiledLinkifier, compileLinkifier } from "../../../../reference/chat/rendering/compile-linkifier.js";
import type { RenderContext } from "../../../../reference/chat/rendering/render-state.js";

const users = [
  { id: 7, name: "Iago Moor" },
  { id: 8, name: "Same Name" },
  { id: 9, name: "Same Name" },
  { id: 10, name: '<img src=x onerror=alert(1)>"&' },
];
const groups = [
  { id: 3, name: "ops", memberIds: [7, 20] },
  { id: 4, name: "<b>&", memberIds: [] },
];
const channels = [
  { id: 5, name: "general" },
  { id: 6, name: "R&D <team> é" },
  { id: 11, name: '"on load' },
];

/** Compiles a valid linkifier. */
export function linkifier(pattern: string, urlTemplate: string): CompiledLinkifier {
  const compiled = compileLinkifier(pattern, urlTemplate);
  if (typeof compiled === "string") throw new Error(compiled);
  return compiled;
}

/** A small organization: users 7 to 10, groups 3 and 4, channels 5, 6 and 11, and the linkifiers given. */
export function sampleContext(linkifiers: readonly CompiledLinkifier[] = []): RenderContext {
  return {
    linkifiers,
    findUser: (name, id) => users.find((user) => user.name === name && (id === undefined || user.id === id)),
    findGroup: (name) => groups.find((group) => group.name === name),
    findChannel: (name) => channels.find((channel) => channel.name === name),
  };
}
