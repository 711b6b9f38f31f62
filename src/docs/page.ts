import { type Html, html } from "../report/html/html.js";
import { pagePolicy } from "../report/html/page-policy.js";
import { richText } from "./fragment.js";
import { docsScript } from "./page-script.js";
import { docsStyle } from "./page-style.js";

/** A part of a page that the search finds: an operation, an RPC, a rule, a workflow, a schema. */
export interface Entry {
  readonly anchor: string;
  /** What lists show. */
  readonly title: Html;
  readonly content: Html;
  /** Whether only the title shows until the reader opens the entry. */
  readonly isFolded?: boolean;
}

/** Entries under a heading. */
export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The documentation of a contract. */
export interface DocsPage {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string | undefined;
  readonly sections: readonly Section[];
}

/**
 * Renders the documentation of a contract as one self-contained HTML page. Its content security policy allows no requests, and only its own
 * style and script. The page can be read without scripts; with them, it can be searched.
 */
export function renderPage({ title, version, description, sections }: DocsPage): string {
  const shown = sections.filter(({ entries }) => entries.length > 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(docsStyle, docsScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: docsStyle }}</style>
</head>
<body>
<header><h1>${title} <small>${version}</small></h1>${richText(description)}</header>
<div class="columns">
<nav aria-label="Contents"><form role="search" hidden><label for="search" class="aside">Search</label><input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"><output for="search"></output></form>
<details open><summary>Contents</summary>${shown.map(renderContents)}</details></nav>
<main>${shown.map(renderSection)}</main>
</div>
<script>${{ markup: docsScript }}</script>
</body>
</html>
`.markup;
}

function renderContents({ title, entries }: Section): Html {
  const items = entries.map(
    (entry) => html`<li data-for="${entry.anchor}"><a href="#${entry.anchor}">${entry.title}</a></li>`,
  );
  return html`<details data-group><summary>${title}</summary><ul>${items}</ul></details>`;
}

function renderSection({ title, entries }: Section): Html {
  return html`<section data-group><h2>${title}</h2>${entries.map(renderEntry)}</section>`;
}

function renderEntry({ anchor, title, content, isFolded = false }: Entry): Html {
  return isFolded
    ? html`<details class="entry" id="${anchor}"><summary><h3>${title}</h3></summary>${content}</details>`
    : html`<article class="entry" id="${anchor}"><h3><a href="#${anchor}">${title}</a></h3>${content}</article>`;
}

/** Makes the id of an element of a name. Addresses percent-encode what browsers would. */
export function anchorOf(kind: string, name: string): string {
  return `${kind}-${name.replaceAll(/[^\w.~-]+/g, "-")}`;
}
