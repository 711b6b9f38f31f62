import { slugify } from "../html/slugify.js";
import type { SearchDocument } from "./search-index.js";

/** The sections of guides, each with the anchor that VitePress gives its heading. `guides` has Markdown by the path of the page. */
export function guideSections(guides: ReadonlyMap<string, string>): SearchDocument[] {
  return [...guides].flatMap(([path, markdown]) => {
    const page = path.replace(/\.md$/, ".html");
    const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, "").replaceAll(/<!--[\s\S]*?-->/g, "");
    const sections = withoutFences(body).split(/^(?=#{1,3} )/m);
    const guide = titleOfSection(sections.find((section) => section.startsWith("# ")) ?? "");
    const slugs = new Map<string, number>();
    return sections.flatMap((section): SearchDocument[] => {
      const title = titleOfSection(section);
      if (title === "") return [];
      const slug = slugify(title);
      const count = slugs.get(slug) ?? 0;
      slugs.set(slug, count + 1);
      const href = section.startsWith("# ") ? page : `${page}#${count === 0 ? slug : `${slug}-${count}`}`;
      return [{ kind: "guide", title, place: title === guide ? "Guide" : guide, text: textOf(section), href }];
    });
  });
}

/** In a code block, `#` begins a comment. */
function withoutFences(body: string): string {
  return body.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/^#/gm, " #"));
}

function titleOfSection(section: string): string {
  const heading = /^#{1,3} (.*)$/m.exec(section)?.[1] ?? "";
  return textOf(heading).trim();
}

function textOf(markdown: string): string {
  return markdown
    .replaceAll(/\[((?:[^\][]|\[[^\]]*\])*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*|#]/g, " ")
    .replaceAll(/\s+/g, " ");
}
