/**
 * The members of a document's head that define anchors, as YAML: lines up to the next one that begins a member. Empty when there are
 * none, or so many that they would take most of the time to read an item.
 */
export function anchorsIn(head: string): string {
  if (head.length > longestHead || !head.includes("&")) return "";
  const anchors = head
    .split(startOfMember)
    .filter((member) => member.includes("&"))
    .join("\n");
  return anchors.length > longestAnchors ? "" : anchors;
}

const longestHead = 64 * 1024;
const longestAnchors = 8 * 1024;
const startOfMember = /\n(?=[^\s#-])/;
