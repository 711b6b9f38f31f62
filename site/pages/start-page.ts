import { html } from "../../src/verify/report/html/html.js";
import { rawBlock } from "../html/fragment.js";

/** An entry of the start page, for one kind of reader. */
interface Door {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly links: readonly (readonly [label: string, href: string])[];
}

const doors: readonly Door[] = [
  {
    title: "I write a client",
    text: "Every operation with its fields, errors and samples, and what your client must tolerate.",
    href: "chat/index.html",
    links: [
      ["Operations", "chat/index.html"],
      ["Generate a client", "guides/generators.html"],
      ["Judge your client", "guides/clients.html"],
    ],
  },
  {
    title: "I write a server",
    text: "Every rule that a server keeps, what checks it, and the contract as of each feature level.",
    href: "guides/verify.html",
    links: [
      ["Verify a server", "guides/verify.html"],
      ["Workflows", "workflows/index.html"],
      ["Compare levels", "compare.html"],
    ],
  },
  {
    title: "I write a daemon or its UI",
    text: "The RPCs of the proxy daemon with their messages, rules and cases.",
    href: "daemon/index.html",
    links: [
      ["RPCs", "daemon/index.html"],
      ["Daemon in TypeScript", "guides/daemon-authors.html"],
      ["Subscription formats", "guides/subscription-formats.html"],
    ],
  },
  {
    title: "I maintain the contract",
    text: "How the contracts are written, what they leave open, and which faults their checks catch.",
    href: "guides/project/contributing.html",
    links: [
      ["Contributing", "guides/project/contributing.html"],
      ["Recommendations", "recommendations.html"],
      ["Faults", "guides/faults.html"],
    ],
  },
];

/** The Markdown of the start page. */
export function writeStartPage(): string {
  const cards = doors.map(
    ({ title, text, href, links }) =>
      html`<li class="door"><h2><a href="${href}">${title}</a></h2><p>${text}</p><ul>${links.map(([label, to]) => html`<li><a href="${to}">${label}</a></li>`)}</ul></li>`,
  );
  return `---
title: Accord
aside: false
pageClass: start-page
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

${rawBlock(html`<ul class="doors">${cards}</ul>`)}`;
}
