import type { Case } from "../../../src/contract/chat/cases.js";
import { type Html, html } from "../../../src/verify/report/html/html.js";
import { codeValue, join, nothing, preformatted, richLine } from "../../html/fragment.js";
import { heading } from "../../html/section.js";
import { renderSamples } from "../../html/tabs.js";
import { levelAttributes, mergeLevels, rangesOf, renderPieces } from "../../levels/levelled.js";
import { chatSamples } from "../../samples/chat-samples.js";
import type { SiteSource } from "../site-source.js";

/** The cases of an operation, each with its request in several languages and the response of the level. */
export async function caseSection(
  { views, casesAt, cases, pageOfRule }: SiteSource,
  operationId: string,
): Promise<Html> {
  const own = cases.filter((one) => one.operationId === operationId);
  const samples = new Map(
    await Promise.all(
      own.map(async (one) => [one.name, renderSamples(`sample-${one.name}`, await chatSamples(one))] as const),
    ),
  );
  const pieces = mergeLevels(views, (level) =>
    casesAt(level)
      .filter((one) => one.operationId === operationId)
      .map((one) => ({ key: one.name, content: renderCase(one, samples.get(one.name) ?? nothing, pageOfRule) })),
  );
  return html`<section${levelAttributes(views, rangesOf(views, pieces))}>
${heading("h2", "cases", "Cases")}
<p>Each case is a sample, an answer of the mock and a check. The samples call the mock, <code>accord mock chat</code>.</p>
${renderPieces(views, pieces, { tag: "details", className: "case", idOf: (key) => `case-${key}` })}
</section>`;
}

function renderCase(one: Case, samples: Html, pageOfRule: ReadonlyMap<string, string>): Html {
  const { name, summary, rule, also, as, given, open, response } = one;
  const code = codeOf(response.body);
  const kind = response.status < 400 ? "good" : "bad";
  const rules = [rule, ...also].map(
    (id) => html`<a href="../${pageOfRule.get(id) ?? ""}#rule-${id}"><code>${id}</code></a>`,
  );
  const states = given.map(({ state, params }) => {
    const values = Object.keys(params).length === 0 ? "" : html` ${codeValue(params)}`;
    return html`<li><a href="../states.html#state-${state}"><code>${state}</code></a>${values}</li>`;
  });
  const body =
    response.body === undefined ? html`<p>No body.</p>` : preformatted(JSON.stringify(response.body, undefined, 2));
  return html`<summary><span class="case-summary">${summary}</span> <span class="status ${kind}">${response.status}${code === undefined ? "" : ` ${code}`}</span> <code class="case-name">${name}</code></summary>
<div class="case-body">
<p>Shows ${join(rules, ", ")}.${open === undefined ? "" : html` ${richLine(open)}`} <button type="button" class="console-button small" data-try-case="${name}" hidden>Try it<span class="visually-hidden">: ${name}</span></button></p>
<p>Caller: <a href="../states.html#callers">${as}</a>. ${states.length === 0 ? "No provider state." : html`Provider states:`}</p>
${states.length === 0 ? nothing : html`<ul class="given">${states}</ul>`}
${samples}
<p class="answer">Answer <span class="status ${kind}">${response.status}</span></p>
${body}
</div>`;
}

function codeOf(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : undefined;
}
