import { escapeMarkup, visibleText } from "../../text/visible-text.js";

/** A piece of HTML in which every text is escaped. */
export interface Html {
  readonly markup: string;
}

/** Builds HTML. Escapes every value, unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: strings.reduce((markup, string, index) => markup + toMarkup(values[index - 1]) + string) };
}

type HtmlValue = Html | readonly Html[] | string | number | undefined;

function toMarkup(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeMarkup(visibleText(value));
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}

/** Renders a sentence with the text between backticks as code. */
export function withCode(sentence: string): Html[] {
  const parts = sentence.split("`");
  const isPaired = parts.length % 2 === 1;
  return isPaired
    ? parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
    : [html`${sentence}`];
}
