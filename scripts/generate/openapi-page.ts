import { openApiSupport, protobufSupport, type Support } from "../../src/contract/rest/support.js";
import { table } from "./markdown-table.js";

/** The page `docs/openapi.md`: what each command does with each feature of a document. */
export function openApiPage(): string {
  return `<!-- Written by \`npm run generate\` from \`src/contract/rest/support.ts\`. Not to be edited. -->

# What is read of a document

Accord reads OpenAPI 3.0, 3.1 and 3.2, Swagger 2.0, and Protobuf. A part that cannot be used costs no more than itself: \`accord init\` and
\`lint\` name it with file and line, and the other commands go on without it. \`accord docs\` and \`generate\` show documents as they are.

## OpenAPI

${supportTable(openApiSupport)}
## Protobuf

${supportTable(protobufSupport)}`;
}

function supportTable(all: readonly Support[]): string {
  const rows = all.map(({ feature, versions, lint, verify, proxy, mock }) => [
    feature,
    versions,
    lint,
    verify,
    proxy,
    mock,
  ]);
  return table(["Feature", "In", "lint", "verify", "proxy", "mock"], rows);
}
