import { beforeAll, describe, expect, it } from "vitest";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { proxyRest } from "../../src/traffic/rest/proxy-rest.js";
import { type VerifyRestOptions, verifyRest } from "../../src/verify/rest/verify-rest.js";
import { sampleOf } from "../support/thorough.js";
import { type MuseumFault, museumFaults } from "./museum/faults.js";
import { startMuseum } from "./museum/server.js";
import { blamed, loadExample } from "./verify-contract.js";

let museum: RestContract;
beforeAll(async () => {
  museum = await loadExample("museum");
});

async function verify(options: Partial<VerifyRestOptions>, fault?: MuseumFault): Promise<JsonReport> {
  const { url, statesUrl, close } = await startMuseum(fault);
  try {
    return toJsonReport(await verifyRest(museum, { url, statesUrl, seed: 1, ...options }));
  } finally {
    await close();
  }
}

describe("the museum", () => {
  it.each([
    ["", []],
    [", and a header that is a parameter comes with every request", ["idempotency-key: 5f0e7a64-other"]],
  ])("keeps every rule if its server makes no mistake%s", async (_, headers) => {
    const { checks, rules } = await verify({ headers });
    expect(checks.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect(rules.filter(({ state }) => state !== "kept")).toEqual([]);
  });

  it.each(
    sampleOf(Object.entries(museumFaults), 4).map(
      ([fault, { does, blames }]) => [does, blames, fault as MuseumFault] as const,
    ),
  )("is caught if its server %s: %s", async (_, blames, fault) => {
    expect(blamed(await verify({ only: [blames] }, fault))).toContain(blames);
  });
});

/** Sends a request through a proxy, and returns the problems of the client by the rule and part of the request. */
async function problemsOf(path: string, init: RequestInit): Promise<Record<string, string>> {
  const { url, close } = await startMuseum();
  const proxy = await proxyRest(museum, { url });
  try {
    await fetch(`${proxy.apiUrl}${path}`, init);
  } finally {
    await proxy.close();
    await close();
  }
  const { checks } = await proxy.report();
  return Object.fromEntries(
    checks.flatMap(({ id, outcome }) =>
      id.startsWith("client ") && "problems" in outcome ? [[id.replace(/^.*: /, ""), outcome.problems[0] ?? ""]] : [],
    ),
  );
}

it("finds the museum and its clients below another path than that of the document", async () => {
  const document = { ...museum.document, servers: [{ url: "https://museum.example/gallery/v7/" }] };
  const { url, statesUrl, close } = await startMuseum();
  const proxy = await proxyRest({ ...museum, document }, { url });
  try {
    const { checks } = await verifyRest({ ...museum, document }, { url: proxy.apiUrl, statesUrl, seed: 1 });
    expect(checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
  } finally {
    await proxy.close();
    await close();
  }
  const { coverage } = await proxy.report();
  expect(coverage?.sections[0]?.items.filter(({ count }) => count === 0)).toEqual([]);
});

describe("a client of the museum", () => {
  const buy = (headers: Record<string, string>): [string, RequestInit] => [
    "/tickets",
    {
      method: "POST",
      headers: { Authorization: "Bearer 4Zt7", "Content-Type": "application/json", ...headers },
      body: '{"date":"2031-03-01","persons":2}',
    },
  ];
  const hours = (Cookie: string): [string, RequestInit] => ["/opening-hours", { headers: { Cookie } }];

  it.each<[string, [string, RequestInit], Record<string, string>]>([
    ["sends a header", buy({ "idempotency-key": "5f0e7a64-visit" }), {}],
    ["omits a header", buy({}), { "request.required Idempotency-Key": "Idempotency-Key is missing" }],
    [
      "sends a header that is too short",
      buy({ "Idempotency-Key": "5f0e7a6" }),
      { "request.value Idempotency-Key": expect.stringMatching(/must NOT have fewer than 8 characters/) },
    ],
    ["sends a cookie", hours("theme=dark; site=harbour"), {}],
    [
      "sends a cookie that is not listed",
      hours("site=castle"),
      { "request.value site": expect.stringMatching(/main, harbour/) },
    ],
  ])("%s", async (_, [path, init], problems) => {
    expect(await problemsOf(path, init)).toEqual(problems);
  });
});
