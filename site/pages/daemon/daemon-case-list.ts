import type { EarlierCall, RpcCase } from "../../../src/contract/rpc/cases.js";
import { earlierCalls, hostOf } from "../../../src/contract/rpc/evidence.js";
import type { ServedHost } from "../../../src/contract/served-host.js";
import { join, nothing, preformatted, richLine } from "../../../src/docs/fragment.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { heading } from "../../html/section.js";
import { renderSamples } from "../../html/tabs.js";
import { tryButton } from "../../html/try-button.js";
import { daemonSamples } from "../../samples/daemon-samples.js";

/** Renders the cases of an RPC: the call in several forms, and the response. */
export function daemonCaseSection(cases: readonly RpcCase[], pageOfRule: ReadonlyMap<string, string>): Html {
  return html`<section>${heading("h2", "cases", "Cases")}
<p>Each case is a sample, an answer of the mock and a check. The samples call the mock, <code>accord mock daemon</code>.</p>
${cases.map((one) => html`<details class="case" id="case-${one.name}">${renderCase(one, pageOfRule)}</details>`)}</section>`;
}

function renderCase(one: RpcCase, pageOfRule: ReadonlyMap<string, string>): Html {
  const { name, summary, rule, also = [], open, error, reply } = one;
  const host = hostOf(one);
  const kind = error === undefined ? "good" : "bad";
  const rules = [rule, ...also].map(
    (id) => html`<a href="../${pageOfRule.get(id) ?? ""}#rule-${id}"><code>${id}</code></a>`,
  );
  const remarks = open === undefined ? nothing : html`<p>${richLine(open)}</p>`;
  const answer = JSON.stringify(error ?? reply ?? {}, undefined, 2);
  return html`<summary><span class="case-summary">${summary}</span> <span class="status ${kind}">${error === undefined ? "reply" : error.code}</span> <code class="case-name">${name}</code></summary>
<div class="case-body">
<p>Shows ${join(rules, ", ")}. ${tryButton(name)}</p>
${remarks}
${host === undefined ? nothing : html`<p>The host of the URL:</p>${preformatted(JSON.stringify(shortened(host), undefined, 2))}`}
${renderCalls(earlierCalls(one))}
${renderSamples(`sample-${name}`, daemonSamples(one))}
<p class="answer">Answer <span class="status ${kind}">${error === undefined ? "reply" : error.code}</span></p>
${preformatted(answer)}
</div>`;
}

function renderCalls(calls: readonly EarlierCall[]): Html {
  if (calls.length === 0) return nothing;
  const items = calls.map(
    ({ id, call, with: request, expect }) =>
      html`<li><b>${id}</b>: ${call}${expect === undefined ? "" : ", which fails"} ${preformatted(JSON.stringify(request))}</li>`,
  );
  return html`<p>Earlier calls:</p><ol class="given">${items}</ol>`;
}

/** Maximum number of characters of a body on a page. */
const maxBody = 2_000;

function shortened(host: ServedHost): unknown {
  return JSON.parse(
    JSON.stringify(host, (_, value: unknown) =>
      typeof value === "string" && value.length > maxBody ? `${value.slice(0, maxBody)}…` : value,
    ),
  );
}
