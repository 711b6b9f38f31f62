import type { ContractDocument } from "../contract/rest/document.js";
import { listOperations } from "../contract/rest/operations.js";
import { visibleLine } from "../text/visible-text.js";

/** The `accord.yaml` of a project with one contract. */
export function projectStub(name: string, key: "openapi" | "proto", path: string): string {
  return `# yaml-language-server: $schema=./node_modules/accord-contracts/openapi/accord.schema.json
contracts:
  ${name}:
    ${key}: ${path}
${
  key === "proto"
    ? ""
    : `    # Which bodies are the API's own errors, and where their code is:
    # error: {body: {/code: {type: string}}, code: /code}
    # The names of a caller's credentials in the answers of provider states:
    # credentials: {token: access_token}
`
}`;
}

/** A \`rules.yaml\` that claims nothing: every operation has a place for its rules, as a comment. */
export function rulesStub(name: string, document: ContractDocument): string {
  const listed = listOperations(document);
  const operations = listed.map(({ path, method, operation }) => {
    // A line break would end the comment.
    const id = visibleLine(operation.operationId);
    const [summary = ""] = (operation.summary ?? "").split("\n");
    return `# ${method.toUpperCase()} ${visibleLine(`${path}${summary === "" ? "" : `: ${summary}`}`)}
# ${id}:
#   - id: ${id}.…
#     text: …
`;
  });
  return `# yaml-language-server: $schema=./node_modules/accord-contracts/openapi/rules.schema.json
#
# The rules of ${name}: what a server must do and a schema cannot say. One rule is one sentence that a server keeps or breaks.
# Without any rule, \`accord verify\` checks that each operation answers as the document says: status, media type, headers and schema.
# To write a rule, remove the # before an operation. A case names it in the example of its response:
#   x-case: {rule: ${visibleLine(listed[0]?.operation.operationId ?? "errors")}.…, given: []}

# Rules of no single operation:
# "*":
#   - id: errors.…
#     text: …

${operations.join("\n")}`;
}

/** A file of \`cases\` that claims nothing: every RPC has a place for its rules and cases, as a comment. */
export function casesStub(name: string, rpcs: readonly string[]): string {
  const stubs = rpcs.map(visibleLine).map(
    (rpc) => `# ${rpc}
#   rules:  - {id: ${ruleId(rpc)}.…, text: …, shown: {by: reply}}
#   cases:  - {name: …, rpc: ${rpc}, rule: ${ruleId(rpc)}.…, summary: …, request: {}, reply: {}}
`,
  );
  return `# The rules and cases of ${name}. A rule is a sentence that a server keeps or breaks; a case is a call and the reply that shows it.
# Without any rule, \`accord verify\` checks that each RPC answers according to its messages. To write some, replace [] with a list of
# entries such as those below.

rules: []
cases: []

${stubs.join("\n")}`;
}

function ruleId(rpc: string): string {
  return (rpc.split("/")[1] ?? rpc).replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();
}
