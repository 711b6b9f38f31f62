/** The Markdown of the start page. */
export function writeStartPage(): string {
  return `---
title: Accord
---

# Accord

Accord makes contracts in OpenAPI and Protobuf executable: \`accord verify\` reports, rule by rule, whether a server in any language keeps
its contract. A contract of your own needs no rule to begin with.

This site shows the two contracts that ship with Accord: a team-chat REST API and the gRPC interface of a proxy daemon. Both are written by
hand; their types, clients, stubs, mocks and this site are generated from them. Every rule of theirs has an id, a sentence, and a case,
workflow or probe that checks it, or a reason why no call can show it.

\`\`\`sh
npm ci && npm start     # mocks and reference servers on this machine, checked and verified
npx --no-install accord verify chat http://127.0.0.1:4011/api/v1 --states http://127.0.0.1:4011/states
\`\`\`

## I have an API of my own

- [From a document to a verdict](./guides/your-own-contract.md), in fifteen minutes

## I write a client

- [Operations](./chat/index.md): every operation with its fields, errors and samples
- [Generate a client](./guides/generators.md)
- [Judge your client](./guides/clients.md), and [what it must tolerate](./guides/client-rules.md)

## I write a server

- [Verify a server](./guides/verify.md): which rules it keeps, and what checks them
- [Workflows](./workflows/index.md): the rules that one call cannot show
- [Feature levels](./guides/feature-levels.md): what each level changes

## I write a daemon or its UI

- [RPCs](./daemon/index.md): the messages, rules and cases of the proxy daemon
- [Daemon in TypeScript](./guides/daemon-authors.md)
- [Subscription formats](./guides/subscription-formats.md)

## I maintain the contract

- [Contributing](./guides/project/contributing.md): how the contracts are written
- [Open questions](./guides/open-questions.md): what they recommend or leave open
- [Faults](./guides/project/scripts-faults.md): how tests show that the checks can fail
`;
}
