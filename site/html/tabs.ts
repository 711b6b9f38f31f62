import { preformatted } from "../../src/docs/fragment.js";
import { type Html, html } from "../../src/report/html/html.js";
import type { Sample } from "../samples/chat-samples.js";

/** The samples of a call as tabs, which are radio buttons and so need no script. `name` must be unique on the page. */
export function renderSamples(name: string, samples: readonly Sample[]): Html {
  const tabs = samples.map(({ language, title }, index) => {
    const id = `${name}-${language}`;
    return html`<input type="radio" name="${name}" id="${id}" value="${language}"${index === 0 ? { markup: " checked" } : ""}><label for="${id}">${title}</label>`;
  });
  const panels = samples.map(({ code }) => html`<div class="panel">${preformatted(code)}</div>`);
  return html`<fieldset class="samples"><legend>Request in</legend>${tabs}${panels}</fieldset>`;
}
