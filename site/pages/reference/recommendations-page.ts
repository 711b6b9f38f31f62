import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { listAllRules } from "../../../src/contract/chat/rules.js";
import { type Html, html } from "../../../src/verify/report/html/html.js";
import { nothing, rawBlock, richLine } from "../../html/fragment.js";
import { heading } from "../../html/section.js";
import { titleOf } from "../../html/title.js";
import { showRules } from "../chat/chat-rules.js";
import { pageOfDaemonRule, showDaemonRules } from "../daemon/daemon-rules.js";
import { renderRules, type ShownRule } from "../rule-list.js";
import type { SiteSource } from "../site-source.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface OpenTopic {
  readonly topic: string;
  readonly points: readonly {
    readonly point: string;
    readonly source: string;
    readonly choice: string;
    readonly unchecked?: string;
  }[];
}

/** The Markdown of the page about gaps in the requirements: recommendations, and open points. */
export function writeRecommendationsPage(source: SiteSource): string {
  const { views, daemon, pageOfRule } = source;
  const chat = listAllRules(views.whole).filter(({ strength }) => strength === "should");
  const shownChat = showRules(source, chat, () => true, "").map((rule) => ({
    ...rule,
    attributes: html``,
    page: pageOfRule.get(rule.id) ?? "",
  }));
  const ofDaemon = [...daemon.rules, ...daemon.clientRules].filter(({ strength }) => strength === "should");
  const shownDaemon = showDaemonRules(daemon, ofDaemon, "").map((rule) => ({
    ...rule,
    attributes: html``,
    page: pageOfDaemonRule(ofDaemon.find(({ id }) => id === rule.id) ?? {}),
  }));
  return `---
title: Recommendations
---

# Recommendations

${rawBlock(html`<p>Where the requirements are silent, the contract recommends a choice, or leaves the point open. <code>accord verify</code> reports a server that does not follow a recommendation as deviating, and fails only with <code>--strict</code>.</p>
${groups("Chat API", shownChat)}${groups("Daemon", shownDaemon)}
${heading("h2", "open", "Left open")}<p>No recommendation exists for these points. What the reference server does is not part of the contract.</p>
${openTopics("Chat API", "openapi/open-points.yaml")}${openTopics("Daemon", "proto/open-points.yaml")}`)}`;
}

/** Rules under a heading, by the first part of their ids. */
function groups(title: string, rules: readonly ShownRule[]): Html {
  const names = [...new Set(rules.map(({ id }) => id.split(".")[0] ?? ""))];
  const parts = names.map((name) => {
    const own = rules.filter(({ id }) => id.startsWith(`${name}.`));
    return html`<section>${heading("h3", `${title.split(" ")[0]?.toLowerCase()}-${name}`, titleOf(name))}${renderRules(own)}</section>`;
  });
  return html`${heading("h2", title.toLowerCase().replace(" ", "-"), title)}${parts}`;
}

function openTopics(contract: string, file: string): Html {
  const topics: readonly OpenTopic[] = parse(readFileSync(`${root}${file}`, "utf8"));
  return html`${topics.map(({ topic, points }, index) => {
    const rows = points.map(
      ({ point, source, choice, unchecked }) =>
        html`<tr><th scope="row">${richLine(point)}</th><td><p>${richLine(choice)}.</p>${unchecked === undefined ? nothing : html`<p class="rule-source">Not checked: ${richLine(unchecked)}.</p>`}<p class="rule-source">Source: ${richLine(source)}.</p></td></tr>`,
    );
    return html`${heading("h3", `open-${contract.split(" ")[0]?.toLowerCase()}-${index + 1}`, `${contract}: ${topic}`)}<table class="fields"><tbody>${rows}</tbody></table>`;
  })}`;
}
