/**
 * Reads the comments of declarations in Protobuf text that `buf format` has formatted. Names of nested declarations are joined by dots:
 * `Message.field`, `Service.Method`, `Enum.Value`.
 */
export function readProtoComments(text: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  const scopes: string[] = [];
  let comment: string[] = [];
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    if (line.startsWith("//")) {
      comment.push(line.replace(/^\/\/ ?/, ""));
      continue;
    }
    const block = /^(?:message|service|enum) (\w+) \{(\})?/.exec(line);
    const member = /^(?:rpc (\w+)|(?:[\w.<>, ]+ )?(\w+) = \d+)/.exec(line);
    const name = block?.[1] ?? member?.[1] ?? member?.[2];
    if (name !== undefined && comment.length > 0) comments.set([...scopes, name].join("."), toMarkdown(comment, name));
    if (block !== null && block[2] === undefined) scopes.push(block[1] ?? "");
    if (line === "}") scopes.pop();
    comment = [];
  }
  return comments;
}

/** Converts a comment to Markdown: marks the declared name at its start as code, and begins a paragraph for each remark. */
function toMarkdown(lines: readonly string[], name: string): string {
  const text = lines.join("\n").replaceAll(/\n(?=(?:Not fixed by the contract|Errors):)/g, "\n\n");
  return text.startsWith(`${name} `) ? `\`${name}\`${text.slice(name.length)}` : text;
}
