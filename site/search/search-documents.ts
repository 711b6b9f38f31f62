import { services } from "../../generated/daemon/contract.js";
import { listAllRules } from "../../src/contract/chat/rules.js";
import { methodOf } from "../../src/contract/daemon/rpcs.js";
import { isEveryLevel, type LevelRange, rangesWhere } from "../levels/level-ranges.js";
import { rangesOf } from "../levels/levelled.js";
import { responseRowId } from "../pages/chat/operation-responses.js";
import { pageOfDaemonRule, rpcPage, rpcs } from "../pages/daemon/daemon-rules.js";
import { reachableTypes } from "../pages/daemon/message-tables.js";
import { readDerivedChecks } from "../pages/reference/checks-page.js";
import { listErrorCodes } from "../pages/reference/codes-page.js";
import { readStateCatalogue } from "../pages/reference/states-page.js";
import { operationPage, type SiteSource, workflowPage } from "../pages/site-source.js";
import { guideSections } from "./guide-sections.js";
import type { SearchDocument } from "./search-index.js";

/** Lists all documents of the search. */
export function listSearchDocuments(source: SiteSource, guides: ReadonlyMap<string, string>): SearchDocument[] {
  return [
    ...source.operations.flatMap((parts) => ofOperation(source, parts)),
    ...ofRules(source),
    ...ofChecks(source),
    ...ofDaemon(source),
    ...guideSections(guides),
  ];
}

function ofOperation({ views }: SiteSource, parts: SiteSource["operations"][number]): SearchDocument[] {
  const { operation, path, method, present, parameters, responses } = parts;
  const { operationId, summary, description = "" } = operation;
  const page = operationPage(operationId);
  const place = `${method.toUpperCase()} ${path}`;
  const fields = responses.flatMap((response) =>
    response.isError ? [] : response.rows.map((row) => ({ response, row })),
  );
  return [
    {
      kind: "operation",
      title: summary,
      place,
      text: `${operationId} ${description}`,
      href: page,
      ...levelsOf(present),
    },
    ...parameters.map((piece): SearchDocument => {
      const text = plainText(piece.forms.at(-1)?.content.markup ?? "");
      const href = `${page}#parameter-${piece.key}`;
      return { kind: "parameter", title: piece.key, place: summary, text, href, ...levelsOf(rangesOf(views, [piece])) };
    }),
    ...fields.map(({ response, row }): SearchDocument => {
      const text = plainText(row.forms.at(-1)?.content.markup ?? "");
      const href = `${page}#${responseRowId(response, row.key)}`;
      return { kind: "field", title: row.key, place: summary, text, href, ...levelsOf(rangesOf(views, [row])) };
    }),
  ];
}

function ofRules({ views, pageOfRule, operations }: SiteSource): SearchDocument[] {
  const titles = new Map(operations.map(({ operation }) => [operationPage(operation.operationId), operation.summary]));
  return listAllRules(views.whole).map(({ id, text, since = 0, until }) => {
    const page = pageOfRule.get(id) ?? "";
    const levels = until === undefined ? [{ from: since }] : [{ from: since, until }];
    return {
      kind: "rule",
      title: id,
      place: titles.get(page) ?? "Conventions",
      text,
      href: `${page}#rule-${id}`,
      ...levelsOf(levels),
    };
  });
}

function ofChecks(source: SiteSource): SearchDocument[] {
  const { views, cases, casesAt, workflows, workflowsAt } = source;
  const caseIds = new Map(
    views.levels.map((level) => [
      level,
      new Set(casesAt(level).map(({ operationId, name }) => `${operationId} ${name}`)),
    ]),
  );
  return [
    ...cases.map(({ operationId, name, summary }): SearchDocument => {
      const levels = rangesWhere(views.levels, (level) => caseIds.get(level)?.has(`${operationId} ${name}`) ?? false);
      return {
        kind: "case",
        title: summary,
        place: operationId,
        text: name,
        href: `${operationPage(operationId)}#case-${name}`,
        ...levelsOf(levels),
      };
    }),
    ...workflows.map(({ workflowId, summary, resource }): SearchDocument => {
      const levels = rangesWhere(views.levels, (level) => workflowsAt(level).has(workflowId));
      return {
        kind: "workflow",
        title: summary,
        place: workflowId,
        text: "",
        href: `${workflowPage(resource)}#workflow-${workflowId}`,
        ...levelsOf(levels),
      };
    }),
    ...listErrorCodes(source).map(({ code, piece, uses }): SearchDocument => {
      const levels = rangesOf(
        views,
        uses.map((use) => use.piece),
      );
      return {
        kind: "code",
        title: code,
        place: "Error codes",
        text: plainText(piece.forms.at(-1)?.content.markup ?? ""),
        href: `codes.html#code-${code}`,
        ...levelsOf(levels),
      };
    }),
    ...Object.entries(readStateCatalogue()["x-states"]).map(
      ([name, { description }]): SearchDocument => ({
        kind: "state",
        title: name,
        place: "Provider states",
        text: description,
        href: `states.html#state-${name}`,
      }),
    ),
    ...readDerivedChecks().flatMap(({ kinds, does }) =>
      kinds.map(
        (kind): SearchDocument => ({
          kind: "probe",
          title: kind,
          place: "Probes and scripts",
          text: does,
          href: `checks.html#probe-${kind}`,
        }),
      ),
    ),
  ];
}

function ofDaemon({ daemon }: SiteSource): SearchDocument[] {
  const names = Object.values(services).map(({ name }) => name);
  return [
    ...rpcs.flatMap((rpc): SearchDocument[] => {
      const [service = "", name = ""] = rpc.split("/");
      const { input, output } = methodOf(rpc);
      const fields = [input, output]
        .flatMap(reachableTypes)
        .flatMap((type) => (type.kind === "enum" ? [] : type.fields.map((field) => ({ type, field }))));
      return [
        { kind: "RPC", title: name, place: service, text: names.join(" "), href: rpcPage(rpc) },
        ...fields.map(
          ({ type, field }): SearchDocument => ({
            kind: "field",
            title: field.name,
            place: type.name,
            text: field.jsonName,
            href: `${rpcPage(rpc)}#field-${type.name}.${field.name}`,
          }),
        ),
      ];
    }),
    ...[...daemon.rules, ...daemon.clientRules].map((rule): SearchDocument => {
      const place = rule.rpc?.split("/")[1] ?? "Conventions of the daemon";
      return {
        kind: "rule",
        title: rule.id,
        place,
        text: rule.text,
        href: `${pageOfDaemonRule(rule)}#rule-${rule.id}`,
      };
    }),
    ...daemon.cases.map(
      ({ name, summary, rpc }): SearchDocument => ({
        kind: "case",
        title: summary,
        place: rpc.split("/")[1] ?? "",
        text: name,
        href: `${rpcPage(rpc)}#case-${name}`,
      }),
    ),
  ];
}

function levelsOf(levels: readonly LevelRange[]): Pick<SearchDocument, "levels"> {
  return isEveryLevel(levels) ? {} : { levels };
}

/** Extracts the text of HTML that this project generated. */
function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}
