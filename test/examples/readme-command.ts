import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the examples. */
export const examples = fileURLToPath(new URL("../../examples", import.meta.url));

/**
 * Returns the arguments of the only `npx accord` command in the README of an example, after replacing texts, such as addresses. The
 * arguments must need no quotes.
 */
export function readmeCommand(example: string, replacements: Readonly<Record<string, string>>): string[] {
  const readme = readFileSync(join(examples, example, "README.md"), "utf8");
  const [, command] = /^npx accord ((?:.*\\\n)*.*)$/m.exec(readme) ?? [];
  if (command === undefined) throw new Error(`The README of ${example} has no accord command`);
  let text = command.replaceAll("\\\n", " ");
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`The command of ${example} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text.trim().split(/\s+/);
}
