import { type Html, html } from "../../src/report/html/html.js";

/** A heading with an anchor, as VitePress writes those of Markdown. */
export function heading(tag: "h2" | "h3", id: string, title: string): Html {
  const name = { markup: tag };
  return html`<${name} id="${id}" tabindex="-1">${title} <a class="header-anchor" href="#${id}" aria-label="Permalink to ${title}">&#8203;</a></${name}>`;
}
