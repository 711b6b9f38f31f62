import { callerName } from "../../../src/contract/calls.js";
import type { Case } from "../../../src/contract/rest/cases.js";
import { codeValue, join, nothing, preformatted, richLine } from "../../../src/docs/fragment.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { heading } from "../../html/section.js";
import { renderSamples } from "../../html/tabs.js";
import { tryButton } from "../../html/try-button.js";
import { levelAttributes, mergeLevels, rangesOf, renderPieces } from "../../levels/levelled.js";
import { chatSamples } from "../../samples/chat-samples.js";
import type { SiteSource } from "../site-source.js";

/** Renders the cases of an operation: the request in several languages, and the response at each level. */
export async function caseSection(source: SiteSource, operationId: string): Promise<Html> {
  const { views, casesAt, cases, pageOfRule } = source;
  const own = cases.filter((one) => one.operationId === operationId);
  const merge = (render: (one: Case) => Html) => {
    const pieces = mergeLevels(views, (level) =>
      casesAt(level)
        .filter((one) => one.operationId === operationId)
        .map((one) => ({ key: one.name, content: render(one) })),
    );
    return new Map(pieces.map((piece) => [piece.key, piece]));
  };
  const [heads, rules, answers] = [
    merge(renderHead),
    merge((one) => renderRuleLinks(one, pageOfRule)),
    merge(renderAnswer),
  ];
  const elements = await Promise.all(
    own.map(async (one) => {
      const piecesOf = (pieces: ReturnType<typeof merge>) =>
        [pieces.get(one.name)].filter((piece) => piece !== undefined);
      const ranges = rangesOf(views, piecesOf(heads));
      const samples = renderSamples(`sample-${one.name}`, await chatSamples(one));
      return html`<details class="case"${levelAttributes(views, ranges, `case-${one.name}`)}><summary>${renderPieces(views, piecesOf(heads), { tag: "span", className: "case-head" })}</summary>
<div class="case-body">${renderPieces(views, piecesOf(rules), { tag: "p" })}
${renderGiven(one)}
<p>${tryButton(one.name)}</p>
${samples}
${renderPieces(views, piecesOf(answers), { tag: "div" })}</div></details>
`;
    }),
  );
  const all = [...heads.values()];
  return html`<section${levelAttributes(views, rangesOf(views, all))}>
${heading("h2", "cases", "Cases")}
<p>Each case is a sample, an answer of the mock and a check. The samples call the mock, <code>accord mock chat</code>.</p>
${elements}
</section>`;
}

function renderHead({ name, summary, response }: Case): Html {
  const code = codeOf(response.body);
  return html`<span class="case-summary">${summary}</span> ${renderStatus(response, code)} <code class="case-name">${name}</code>`;
}

function renderStatus({ status }: Case["response"], code?: string): Html {
  return html`<span class="status ${status < 400 ? "good" : "bad"}">${status}${code === undefined ? "" : ` ${code}`}</span>`;
}

function renderRuleLinks({ rule, also, open }: Case, pageOfRule: ReadonlyMap<string, string>): Html {
  const links = [rule, ...also].map(
    (id) => html`<a href="../${pageOfRule.get(id) ?? ""}#rule-${id}"><code>${id}</code></a>`,
  );
  return html`Shows ${join(links, ", ")}.${open === undefined ? "" : html` ${richLine(open)}`}`;
}

function renderGiven({ as, given }: Case): Html {
  const states = given.map(({ state, params }) => {
    const values = Object.keys(params).length === 0 ? "" : html` ${codeValue(params)}`;
    return html`<li><a href="../states.html#state-${state}"><code>${state}</code></a>${values}</li>`;
  });
  const list = states.length === 0 ? nothing : html`<ul class="given">${states}</ul>`;
  return html`<p>Caller: <a href="../states.html#callers">${callerName(as)}</a>. ${states.length === 0 ? "No provider state." : "Provider states:"}</p>${list}`;
}

function renderAnswer({ response }: Case): Html {
  const { body } = response;
  const shown = body === undefined ? html`<p>No body.</p>` : preformatted(JSON.stringify(body, undefined, 2));
  return html`<p class="answer">Answer ${renderStatus(response)}</p>${shown}`;
}

function codeOf(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : undefined;
}
