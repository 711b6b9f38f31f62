import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Documents outside of `docs/` to which guides link, by their paths in the project. */
const others = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "openapi/README.md",
  "openapi/behaviour/README.md",
  "openapi/checks.md",
  "proto/README.md",
  "proto/cases/README.md",
  "reference/README.md",
  "scripts/faults/README.md",
  ...readdirSync(`${root}/examples`).map((name) => `examples/${name}/README.md`),
];

/** The folders of guides. The site shows them as one. */
const folders: readonly string[] = ["docs", "generated/guides"];

/** The guides of `docs/` and `generated/guides/`, and the documents to which they link, as pages. Links between them lead to the pages. */
export function guidePages(): ReadonlyMap<string, string> {
  const guides = folders.flatMap((folder) => readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`));
  const isDocument = (path: string) => path.endsWith(".md") && existsSync(`${root}/${path}`);
  const paths = [...guides, ...others].filter(isDocument);
  return new Map(
    paths.map((path) => [pageOfGuide(path), toPage(readFileSync(`${root}/${path}`, "utf8"), path, paths)]),
  );
}

/** The page of a document, such as `guides/verify.md` for `docs/verify.md`. */
function pageOfGuide(path: string): string {
  if (path === "docs/README.md") return "guides/index.md";
  if (folders.includes(posix.dirname(path))) return `guides/${posix.basename(path)}`;
  return `guides/project/${path
    .replace(/\/README\.md$/, ".md")
    .replaceAll("/", "-")
    .toLowerCase()}`;
}

/** Rewrites relative links. One to a document without a page becomes text. */
function toPage(text: string, path: string, paths: readonly string[]): string {
  const page = pageOfGuide(path);
  const parts = text.split(/(^```[\s\S]*?^```$)/m);
  const linked = parts.map((part, index) => (index % 2 === 1 ? part : withLinks(part)));
  return `---\neditable: ${path}\n---\n\n${linked.join("")}`;

  function withLinks(part: string): string {
    return part.replaceAll(/\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, label: string, target: string) => {
      if (/^([a-z]+:|#)/.test(target)) return whole;
      const [file = "", anchor] = target.split("#");
      const found = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, "");
      const guide = [found, `${found}/README.md`].find((candidate) => paths.includes(candidate));
      if (guide === undefined) return found.startsWith("..") ? label : `${label} (\`${found}\`)`;
      const href = posix.relative(posix.dirname(page), pageOfGuide(guide));
      return `[${label}](${href.startsWith(".") ? href : `./${href}`}${anchor === undefined ? "" : `#${anchor}`})`;
    });
  }
}
