import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html } from "../../../src/verify/report/html/html.js";
import { nothing, rawBlock, richLine } from "../../html/fragment.js";
import { heading } from "../../html/section.js";
import type { SiteSource } from "../site-source.js";

const guide = fileURLToPath(new URL("../../../openapi/README.md", import.meta.url));

/** The kinds of derived checks with their descriptions, from the table of `openapi/README.md`. Kinds in one row share its text. */
export function readDerivedChecks(
  text = readFileSync(guide, "utf8"),
): { readonly kinds: readonly string[]; readonly does: string }[] {
  const section = /^## Derived checks$([\s\S]*?)^## /m.exec(text)?.[1] ?? "";
  return [...section.matchAll(/^\| (`.+?) \| (.+?) \|/gm)]
    .map(([, kinds = "", does = ""]) => ({
      kinds: [...kinds.matchAll(/`([\w-]+)`/g)].map(([, kind = ""]) => kind),
      does,
    }))
    .filter(({ kinds }) => kinds.length > 0 && kinds[0] !== "kind");
}

/** The Markdown of the page about checks that are neither cases nor workflows. */
export function writeChecksPage({ coverage, pageOfRule }: SiteSource): string {
  const rules = [...coverage.values()].map(({ rule }) => rule);
  const rows = readDerivedChecks().map(({ kinds, does }) => {
    const shown = rules.filter((rule) => kinds.includes(rule["shown-by"]?.kind ?? ""));
    const links = shown.map(
      ({ id }) => html`<a class="check" href="${pageOfRule.get(id) ?? ""}#rule-${id}">${id}</a> `,
    );
    const names = kinds.map((kind) => html`<code id="probe-${kind}">${kind}</code> `);
    return html`<tr><th scope="row">${names}</th><td><p>The check ${richLine(does)}.</p><div class="rule-checks">${links.length === 0 ? nothing : html`Shows ${links}`}</div></td></tr>`;
  });
  return `---
title: Probes and scripts
---

# Probes and scripts

${rawBlock(html`<p>Besides cases and workflows, <code>accord verify chat</code> derives checks from the contract: probes, which change the request of a case, and scripts for what neither a case nor a workflow can send or compare.</p>
<table class="fields"><tbody>${rows}</tbody></table>
${heading("h2", "probe-reference", "Values that refer to something")}<p>For each parameter whose value identifies something in an organization, a probe sends one that belongs to another organization: its rules about values that refer to nothing must hold.</p>
${heading("h2", "probe-traffic", "Traffic of clients")}<p><code>accord proxy</code> and <code>accord check</code> judge the traffic of a client. A strain changes responses in a way that a conforming server could answer as well; <a href="guides/client-rules.html">Rules for clients</a> explains each.</p>`)}`;
}
