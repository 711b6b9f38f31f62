import { maxResponseBytes } from "../../reference/chat/messages/page/read-page.js";
import { maxRedirects } from "../../reference/daemon/import/fetch/fetch-subscription.js";
import { maxBytes } from "../../reference/daemon/import/fetch/read-body.js";
import { maxJsonValues, maxYamlTokens } from "../../reference/daemon/import/formats/parse-document.js";
import { maxEntryLength } from "../../reference/daemon/import/formats/read-node.js";
import { maxUrlLength } from "../../reference/daemon/import/read-subscription-url.js";
import { maxEntries } from "../../reference/daemon/import/reading/read-content.js";
import { type Limit, limits } from "../../src/limits.js";
import { bytesText } from "../../src/wire/answer-limits.js";
import { table } from "./markdown-table.js";

const daemon = "import of a subscription";

const ofReferences: readonly Limit[] = [
  ["Content of a page of messages", maxResponseBytes, "bytes", "messages", "the page is shorter"],
  ["A subscription URL", maxUrlLength, "", daemon, "refused"],
  ["Redirects", maxRedirects, "", daemon, "refused"],
  ["A subscription, decompressed", maxBytes, "bytes", daemon, "refused"],
  ["Entries of a subscription", maxEntries, "", daemon, "refused"],
  ["Characters of an entry", maxEntryLength, "", daemon, "skipped"],
  ["Values of a JSON subscription", maxJsonValues, "", daemon, "refused"],
  ["Tokens of a YAML subscription", maxYamlTokens, "", daemon, "refused"],
];

/** The page `docs/limits.md`: every bound on what a stranger can make a process hold or wait for. */
export function limitsPage(): string {
  return `<!-- Written by \`npm run generate\` from \`src/limits.ts\`. Not to be edited. -->

# Limits

Documents, servers and clients may be a stranger's. These bounds limit what each of them can make a process of Accord hold or wait for.

${limitTable(limits)}
## Reference implementations

${limitTable(ofReferences)}`;
}

function limitTable(all: readonly Limit[]): string {
  const rows = all.map(([what, value, unit, where, beyond]) => [what, amount(value, unit), where, beyond]);
  return table(["What", "At most", "Where", "Beyond it"], rows);
}

function amount(value: number, unit: Limit[2]): string {
  switch (unit) {
    case "bytes":
      return value % 1024 === 0 && value < 2 ** 20 ? `${value / 1024} KiB` : bytesText(value);
    case "ms":
      return value >= 60_000 ? `${value / 60_000} min` : `${value / 1000} s`;
    case "s":
      return `${value} s`;
    case "":
      return value.toLocaleString("en-US");
  }
}
