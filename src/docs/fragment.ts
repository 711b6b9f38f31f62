import markdownIt from "markdown-it";
import { type Html, html } from "../report/html/html.js";

const markdown = markdownIt({ html: false });

/** A text of the contract, which may contain Markdown, as blocks. */
export function richText(text: string | undefined): Html {
  return { markup: text === undefined ? "" : singleLine(markdown.render(text)) };
}

/** A sentence of the contract with its inline Markdown. */
export function richLine(text: string | undefined): Html {
  return { markup: text === undefined ? "" : singleLine(markdown.renderInline(text)) };
}

/** A text with its line breaks and spaces, written without a line break, at which Markdown would split the block. */
export function preformatted(text: string): Html {
  return html`<pre tabindex="0">${{ markup: html`${text}`.markup.replaceAll("\n", "&#10;") }}</pre>`;
}

/** A value of the contract as code: a string verbatim, any other value as JSON. */
export function codeValue(value: unknown): Html {
  return html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`;
}

/** An identifier or a path of names, which may wrap before its dots and after its underscores. */
export function breakable(name: string): Html[] {
  return name.split(/(?=\.)|(?<=_)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`));
}

/** Joins pieces of HTML, with a separator between them. */
export function join(pieces: readonly Html[], separator: string): Html {
  return { markup: pieces.map(({ markup }) => markup).join(separator) };
}

/** The empty fragment. */
export const nothing: Html = { markup: "" };

/** A block of HTML in a Markdown page. Vue does not interpret it. It contains no empty line, at which Markdown would end it. */
export function rawBlock(content: Html): string {
  return `<div v-pre class="contract">\n${singleLine(content.markup)}\n</div>\n`;
}

function singleLine(markup: string): string {
  return markup.replaceAll(/\s*\n\s*/g, "\n").trim();
}
