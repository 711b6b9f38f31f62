import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the requirement documents. They belong to others and are not part of the repository. */
const folder =
  process.env.ACCORD_REQUIREMENTS ?? fileURLToPath(new URL("../../../shared/requirements", import.meta.url));
const paths = { chat: join(folder, "chat-rest-api.md"), daemon: join(folder, "proxy-daemon-rpc.md") };

/** Whether the requirement documents are available for comparison. */
export const hasDocuments = Object.values(paths).every((path) => existsSync(path));

/** The text of a requirement document, or nothing if the documents are absent. */
export function readDocument(contract: keyof typeof paths): string {
  return hasDocuments ? readFileSync(paths[contract], "utf8") : "";
}

/** The text below a `##` or `###` heading. */
export interface Section {
  /** Excludes method, path and remarks in parentheses. */
  readonly heading: string;
  /** The heading as written. */
  readonly title: string;
  /** Excludes subsections. */
  readonly text: string;
}

/** Splits a Markdown document at its headings. */
export function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^#{2,3} /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.split("\n");
      const heading = title.replace(/: (GET|POST|PATCH|DELETE) .*$/, "").replace(/ \([^)]*\)$/, "");
      return { heading, title, text: lines.join("\n") };
    });
}
