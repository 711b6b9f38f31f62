/** The Markdown of the start page. */
export function writeStartPage(): string {
  return `---
title: Accord
---

# Accord

Accord holds the executable contracts of two services: a team-chat REST API and the gRPC interface of a proxy daemon.
Both are written by hand, in OpenAPI and Protobuf; types, clients, stubs, mocks and this site are generated from them.
Every rule of a contract has an id, a sentence, and a case, workflow or probe that checks it.
\`accord verify\` reports, rule by rule, whether a server in any language keeps its contract.

\`\`\`sh
npm ci && npm start     # mocks and reference servers on this machine, checked and verified
npx --no-install accord verify chat http://127.0.0.1:4011/api/v1 --states http://127.0.0.1:4011/states
\`\`\`

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
- [Faults](./guides/faults.md): which faults their checks catch
`;
}
