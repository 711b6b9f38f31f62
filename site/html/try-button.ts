import { type Html, html } from "../../src/report/html/html.js";

/** A button that opens the console with a case. Hidden until the script of the console runs. */
export function tryButton(caseName: string): Html {
  return html`<button type="button" class="console-button small" data-try-case="${caseName}" hidden>Try it<span class="visually-hidden">: ${caseName}</span></button>`;
}
