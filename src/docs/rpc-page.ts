import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import type { RpcCase } from "../contract/rpc/cases.js";
import type { RpcContract } from "../contract/rpc/contract.js";
import { readComments } from "../contract/rpc/proto-comments.js";
import { type Html, html } from "../report/html/html.js";
import { join, nothing, richText } from "./fragment.js";
import { type MessageNotes, reachableTypes, renderMessages } from "./message-tables.js";
import { anchorOf, type DocsPage, type Entry, type Section } from "./page.js";
import { linkRule, renderJson, renderRules } from "./rules.js";

/** The documentation of a contract in Protobuf. */
export function rpcPage(contract: RpcContract): DocsPage {
  const { name, version, methods, rules, clientRules, files } = contract;
  const commentOf = readComments(files);
  const notes: MessageNotes = {
    isSecret: contract.isSecret,
    commentOf,
    idOf,
    heading: () => nothing,
  };
  const services = new Map<string, Entry[]>();
  for (const { rpc, method } of methods) {
    const entry = rpcEntry(contract, rpc, commentOf(method));
    services.set(method.parent.typeName, [...(services.get(method.parent.typeName) ?? []), entry]);
  }
  const types = new Set(
    [
      ...methods.flatMap(({ method }) => [method.input, method.output]),
      ...files.flatMap((file) => file.messages),
    ].flatMap(reachableTypes),
  );
  const general = [...rules, ...clientRules].filter((rule) => rule.rpc === undefined);
  return {
    title: name,
    version: version === "unversioned" ? "" : version,
    description: undefined,
    sections: [
      ...[...services].map(([title, entries]): Section => ({ title, entries })),
      {
        title: "Rules of no single RPC",
        entries: general.length === 0 ? [] : [{ anchor: "rules", title: html`Rules`, content: renderRules(general) }],
      },
      { title: "Messages", entries: [...types].map((type) => typeEntry(type, notes)) },
    ],
  };
}

function rpcEntry({ rules, cases, methods }: RpcContract, rpc: string, comment: string | undefined): Entry {
  const method = methods.find((one) => one.rpc === rpc)?.method;
  const own = cases.filter((one) => one.rpc === rpc && one.derived === undefined);
  return {
    anchor: anchorOf("rpc", rpc),
    title: html`<code>${rpc}</code>`,
    content: html`${richText(comment)}<p>Takes ${linkType(method?.input)}, returns ${linkType(method?.output)}.</p>
${renderRules(rules.filter((rule) => rule.rpc === rpc))}
${own.length === 0 ? "" : html`<h4>Cases</h4>${own.map(renderCase)}`}`,
  };
}

function idOf({ typeName }: DescMessage | DescEnum): string {
  return anchorOf("message", typeName);
}

function linkType(type: DescMessage | undefined): Html {
  return type === undefined ? nothing : html`<a href="#${idOf(type)}">${type.name}</a>`;
}

function renderCase({ name, summary, rule, also = [], given = [], request, reply, error, open }: RpcCase): Html {
  return html`<details class="case" id="${anchorOf("case", name)}"><summary><b class="${error === undefined ? "good" : "bad"}">${error?.code ?? "ok"}</b> ${summary} <code>${name}</code></summary>
<p>Shows ${join([rule, ...also].map(linkRule), ", ")}.</p>${richText(open)}
${given.length === 0 ? "" : renderJson("Before", given)}${renderJson("Request", request)}${renderJson(error === undefined ? "Reply" : "Error", error ?? reply)}</details>`;
}

function typeEntry(type: DescMessage | DescEnum, notes: MessageNotes): Entry {
  return {
    anchor: idOf(type),
    title: html`<code>${type.typeName}</code>`,
    isFolded: true,
    content: renderMessages([type], notes),
  };
}
