import { readFileSync } from "node:fs";
import { packageFile } from "../base/package-file.js";
import { contractFiles } from "./contract-files.js";

/** The contract as a single `.proto` file, with all comments. Compiles without the other files. */
export function protoText(): string {
  const paths = contractFiles().map(({ proto }) => proto.name);
  const texts = paths.map((path) => readFileSync(packageFile(`proto/${path}`), "utf8"));
  const imports = new Set(texts.flatMap((text) => text.match(/^import .*;$/gm) ?? []));
  const foreign = [...imports].filter((line) => !paths.some((path) => line.includes(`"${path}"`)));
  const [first = ""] = texts;
  const head = [statement(first, "syntax"), statement(first, "package"), foreign.sort().join("\n")];
  const options = (first.match(/^option .*;$/gm) ?? []).filter((line) => !line.includes("java_outer_classname"));
  const bodies = texts.map((text) => text.replaceAll(/^(?:syntax|package|import|option) .*;\n+/gm, "").trim());
  return `${[...head, options.join("\n"), ...bodies].join("\n\n")}\n`;
}

function statement(text: string, keyword: string): string {
  return new RegExp(`^${keyword} .*;$`, "m").exec(text)?.[0] ?? "";
}
