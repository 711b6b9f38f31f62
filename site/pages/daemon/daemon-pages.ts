import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import * as contract from "../../../generated/daemon/contract.js";
import { services } from "../../../generated/daemon/contract.js";
import { secretTest } from "../../../src/contract/rpc/secret-fields.js";
import { type DaemonRpc, methodOf } from "../../../src/daemon/daemon-methods.js";
import { protoText } from "../../../src/daemon/proto-text.js";
import { pathOfRpc } from "../../../src/daemon/service-names.js";
import { rawBlock, richText } from "../../../src/docs/fragment.js";
import { type MessageNotes, reachableTypes, renderMessages } from "../../../src/docs/message-tables.js";
import { html } from "../../../src/report/html/html.js";
import { heading } from "../../html/section.js";
import { titleOf } from "../../html/title.js";
import { renderRules } from "../rule-list.js";
import type { SiteSource } from "../site-source.js";
import { daemonCaseSection } from "./daemon-case-list.js";
import { pageOfDaemonRule, rpcPage, rpcs, showDaemonRules } from "./daemon-rules.js";
import { readProtoComments } from "./proto-comments.js";

const comments = readProtoComments(protoText());
const isSecret = secretTest([contract.file_proxydaemon_v1_proxy_subscriptions]);

/** What the pages say of messages, under headings of a level. */
function notesUnder(tag: "h2" | "h3"): MessageNotes {
  return {
    isSecret,
    commentOf: (declared) =>
      comments.get(
        "parent" in declared && declared.kind !== "message" && declared.kind !== "enum"
          ? `${declared.parent.name}.${declared.name}`
          : declared.name,
      ),
    idOf: ({ name }) => `message-${name}`,
    heading: ({ name }) => heading(tag, `message-${name}`, name),
  };
}

/** The pages about the daemon, by path. */
export function daemonPages(source: SiteSource): ReadonlyMap<string, string> {
  return new Map([
    ["daemon/index.md", indexPage()],
    ["daemon/conventions.md", conventionsPage(source)],
    ["daemon/messages.md", messagesPage()],
    ...rpcs.map((rpc) => [rpcPage(rpc).replace(/html$/, "md"), writeRpcPage(source, rpc)] as const),
  ]);
}

function writeRpcPage({ daemon }: SiteSource, rpc: DaemonRpc): string {
  const [service = "", name = ""] = rpc.split("/");
  const { input, output } = methodOf(rpc);
  const types = [...new Set([...reachableTypes(input), ...reachableTypes(output)])];
  const rules = daemon.rules.filter((rule) => rule.rpc === rpc);
  const pageOfRule = new Map(daemon.rules.map((rule) => [rule.id, pageOfDaemonRule(rule)]));
  const head = html`<p class="call"><span class="method rpc">RPC</span> <code>${pathOfRpc(rpc)}</code></p>
${richText(comments.get(`${service}.${name}`))}
<p>Takes <a href="#message-${input.name}">${input.name}</a>, returns <a href="#message-${output.name}">${output.name}</a>.</p>`;
  const content = html`<section>${heading("h2", "messages", "Messages")}${renderMessages(types, notesUnder("h3"))}</section>
<section>${heading("h2", "rules", "Rules")}${renderRules(showDaemonRules(daemon, rules))}</section>
${daemonCaseSection(
  daemon.cases.filter((one) => one.rpc === rpc),
  pageOfRule,
)}`;
  return `${page(name, head)}\n<TryIt rpc="${name}" />\n\n${rawBlock(content)}`;
}

function indexPage(): string {
  const lists = Object.values(services).map((service) => {
    const methods = service.methods.map(
      ({ name }) => html`<li><a href="./${name}.html">${name}</a> <code>${service.typeName}/${name}</code></li>`,
    );
    return html`${heading("h2", `service-${service.name}`, service.name)}${richText(comments.get(service.name))}<ul class="operations">${methods}</ul>`;
  });
  return page(
    "RPCs",
    html`<p><a href="./conventions.html">Conventions of all RPCs</a>: services, wire format, fetching of URLs, and redaction of secrets. <a href="./messages.html">Messages without an RPC</a>.</p>${lists}`,
  );
}

function conventionsPage({ daemon }: SiteSource): string {
  const rules = [...daemon.rules, ...daemon.clientRules].filter(({ rpc }) => rpc === undefined);
  const groups = [...new Set(rules.map(({ id }) => id.split(".")[0] ?? ""))];
  const parts = groups.map((group) => {
    const own = rules.filter(({ id }) => id.startsWith(`${group}.`));
    return html`<section>${heading("h2", group, titleOf(group))}${renderRules(showDaemonRules(daemon, own))}</section>`;
  });
  return page("Conventions of the daemon", html`<p>The rules of all RPCs.</p>${parts}`);
}

/** The messages that no RPC of the contract uses. */
function messagesPage(): string {
  const used = new Set(rpcs.flatMap((rpc) => [methodOf(rpc).input, methodOf(rpc).output].flatMap(reachableTypes)));
  const files = Object.values(contract).filter((value) => "kind" in value && value.kind === "file");
  const types: (DescMessage | DescEnum)[] = files.flatMap((file) => [...file.messages, ...file.enums]);
  return page(
    "Messages without an RPC",
    html`<p>The requirements name these messages, but no RPC that takes or returns them.</p>${renderMessages(
      types.filter((type) => !used.has(type)),
      notesUnder("h2"),
    )}`,
  );
}

function page(title: string, content: Parameters<typeof rawBlock>[0]): string {
  return `---\ntitle: ${title}\n---\n\n# ${title}\n\n${rawBlock(content)}`;
}
