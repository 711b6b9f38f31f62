import { pageScript } from "../../../../generated/verify/page-script.js";
import { visibleLine } from "../../../text/visible-text.js";
import { type AnyReport, modelOf } from "../../model/to-json-report.js";
import { html } from "./html.js";
import { toPageModel } from "./page-model.js";
import { pagePolicy } from "./page-policy.js";
import { pageStyle } from "./page-style.js";
import { renderChecks, renderMap } from "./render-checks.js";
import { renderCoverage } from "./render-coverage.js";
import { renderFailures } from "./render-failures.js";
import { renderHead, renderToolbar } from "./render-head.js";
import { renderNeeds, renderOperations } from "./render-operations.js";
import { renderRules } from "./render-rules.js";

/**
 * Formats the result of a verification as one self-contained HTML page. Its content security policy allows no requests, and only its own
 * style and script. The page is readable without scripts; with them, it can be searched and filtered.
 */
export function formatHtml(given: AnyReport): string {
  const report = modelOf(given);
  const model = toPageModel(report);
  const failures = renderFailures(model);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${report.verdict.word}: ${report.contract} at ${visibleLine(report.target)}</title>
<link rel="icon" href="data:,">
<style>${{ markup: pageStyle }}</style>
</head>
<body>
${renderHead(model, failures !== undefined)}
${renderOperations(model)}
${renderToolbar(model)}
<main>
<p class="nothing" id="nothing" hidden>Nothing found.</p>
${renderMap(model)}
${failures}
${renderNeeds(model)}
${renderRules(model)}
${renderChecks(model)}
${renderCoverage(model)}
</main>
<script>${{ markup: pageScript }}</script>
</body>
</html>
`;
  return page.markup;
}
