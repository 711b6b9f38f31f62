/** Creates a predicate that matches the prefix of a name; `*` matches any text. Takes linear time. */
export function createPrefixMatcher(text: string): (name: string) => boolean {
  const [first = "", ...rest] = text.split("*");
  return (name) => {
    if (!name.startsWith(first)) return false;
    let position = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, position);
      if (found === -1) return false;
      position = found + part.length;
    }
    return true;
  };
}

/** Creates a predicate that returns whether a text is a name, in which `*` matches any text. */
export function createNameMatcher(name: string): (text: string) => boolean {
  const matches = createPrefixMatcher(name);
  return (text) => matches(text) && (name.endsWith("*") || matchesWhole(name, text));
}

/** Whether a text ends as a pattern does. */
function matchesWhole(pattern: string, text: string): boolean {
  const last = pattern.split("*").at(-1) ?? "";
  return pattern.includes("*") ? text.endsWith(last) : text === pattern;
}
