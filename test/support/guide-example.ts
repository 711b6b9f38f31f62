import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the code block after `<!-- example: name -->` in a guide, whose path begins at the root of the project. */
export function guideExample(guide: string, name: string): string {
  const text = readFileSync(join(root, guide), "utf8");
  const code = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(text)?.[1];
  if (code === undefined) throw new Error(`${guide} has no example ${name}`);
  return code;
}
