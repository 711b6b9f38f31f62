/** A part of a page that the search finds, with the titles of the page and of the part. */
export interface SearchSection {
  readonly anchor: string;
  readonly titles: string[];
  readonly text: string;
}

/** Splits a page at its headings, and at its rules, cases, parameters, fields and codes, which have ids such as `rule-messages.edit.topic`. */
export function* searchSections(page: string): Generator<SearchSection> {
  const searched = page.replaceAll(/<(fieldset|svg)\b[\s\S]*?<\/\1>|<pre tabindex="0">[\s\S]*?<\/pre>/g, " ");
  const parts = searched.split(/(?=<h1\b)|(?=<(?:h[23]|li|tr|section|details|code)\b[^>]*? id=")/);
  let pageTitle = "";
  for (const part of parts) {
    const [, id = ""] = /^<[^>]*? id="([^"]*)"/.exec(part) ?? [];
    const [, level, heading = ""] = /^<h([1-3])[^>]*>([\s\S]*?)<\/h\1>/.exec(part) ?? [];
    const text = textOf(part);
    if (level === "1") {
      pageTitle = textOf(heading);
      // The path and the ids of an operation.
      const [call = ""] = /<p class="call">[\s\S]*?<\/p>/.exec(part) ?? [];
      const [names = ""] = /<p class="names">[\s\S]*?<\/p>/.exec(part) ?? [];
      yield { anchor: "", titles: [textOf(`${pageTitle} ${call} ${names}`)], text };
    } else if (id !== "") {
      const [, kind, name] = /^(?:chat-|daemon-)?([a-z]+)-(?:\d{3}-|default-)?(.+)$/.exec(id) ?? [];
      const title = level === undefined ? `${kind} ${name}` : textOf(heading);
      yield { anchor: id, titles: [pageTitle, title], text };
    }
  }
}

/** The text of HTML, whose characters stay escaped, as the search shows it. */
function textOf(html: string): string {
  return html
    .replaceAll(/<wbr>|&#8203;|&ZeroWidthSpace;|\u200b/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
