import { createServer } from "node:http";
import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/base/listen.js";
import type { Check } from "../../src/contract/check.js";
import { basePath } from "../../src/contract/rest/base-path.js";
import type { degrees } from "../../src/report/model/degree.js";
import { createSecret } from "../../src/secrets/secret.js";
import { contractAtLevel } from "../../src/verify/rest/contract-at-level.js";
import { createRestSession } from "../../src/verify/rest/create-rest-session.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { createGate } from "../../src/verify/run/gate.js";
import { runSteps } from "../../src/verify/run/run-steps.js";
import { formatHtml, formatMarkdown, formatSummary } from "../../src/verify.js";
import { json, type Reply, type ServedDocument, verifyServed } from "./served-document.js";
import { loadExample } from "./verify-contract.js";

const pet = { type: "object", required: ["name"], properties: { id: { type: "integer" }, name: { type: "string" } } };
const example = { name: "Rex" };
const body = { required: true, content: { "application/json": { schema: pet, example } } };
const id = { name: "id", in: "path", required: true, schema: { type: "integer" }, example: 1 };
const refused = { description: "" };

/** An API with every kind of write, one of which removes with POST. */
const paths = {
  "/pets": {
    get: { operationId: "listPets", responses: { 200: json({ type: "array", items: pet }) } },
    post: { operationId: "addPet", requestBody: body, responses: { 201: json(pet), 400: refused } },
    delete: { operationId: "clearPets", responses: { 204: { description: "" } } },
  },
  "/pets/{id}": {
    parameters: [id],
    get: { operationId: "getPet", responses: { 200: json(pet), 404: refused } },
    put: { operationId: "replacePet", requestBody: body, responses: { 200: json(pet), 400: refused, 404: refused } },
  },
  "/maintenance": { post: { operationId: "stopServer", responses: { 204: { description: "" } } } },
};

/** Serves the API. Accepts whatever has a readable body. */
function servePets(allow?: string): ServedDocument & { readonly pets: Map<string, object> } {
  const pets = new Map<string, object>([["1", { id: 1, name: "Rex" }]]);
  const answer: ServedDocument["answer"] = (request, _, body) => {
    const [method, place = ""] = request.split(/[ ?]/);
    const [, list, found = ""] = place.split("/");
    if (list !== "pets" && list !== "maintenance") return [404, { error: "no such path" }];
    if (body === "{") return [400];
    if (method === "OPTIONS") return [allow === undefined ? 404 : 204];
    if (list === "maintenance") return method === "POST" ? [204] : [405];
    switch (`${method} ${found === "" ? "list" : "one"}`) {
      case "GET list":
        return [200, [...pets.values()]];
      case "POST list": {
        const added = { id: pets.size + 100, name: "New" };
        pets.set(String(added.id), added);
        return [201, added];
      }
      case "DELETE list":
        pets.clear();
        return [204];
      case "GET one":
        return pets.has(found) ? [200, pets.get(found)] : [404];
      case "PUT one":
        return pets.has(found) ? [200, pets.get(found)] : [404];
      default:
        return [405];
    }
  };
  return { paths, answer, pets };
}

function methodsOf(requests: readonly string[]): string[] {
  return requests.map((request) => request.split(" ")[0] ?? "");
}

const isUnsafe = (method: string) => !["GET", "HEAD", "OPTIONS"].includes(method);

describe("the degree of a run", () => {
  it("`reads`, the default, sends no write, with or without security in the document", async () => {
    const secured = { components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } } };
    for (const document of [{}, { ...secured, security: [{ token: [] }] }]) {
      const { pets, ...served } = servePets();
      const { requests, report } = await verifyServed({ ...served, document }, { degree: "reads", jobs: 4 });
      expect(methodsOf(requests).filter(isUnsafe)).toEqual([]);
      expect(requests).toContain("GET /pets");
      expect([...pets.keys()]).toEqual(["1"]);
      expect(report.degree).toBe("reads");
    }
  });

  it("`undone` changes nothing, and asks for operations without acting", async () => {
    const { pets, ...served } = servePets();
    const { requests, report } = await verifyServed(served, { degree: "undone" });
    // Only bodies from which nothing can be read, to find out whether the operation is there.
    expect(requests.filter((request) => isUnsafe(request.split(" ")[0] ?? ""))).toEqual([
      ...["POST /pets", "POST /accord-no-such-operation", "PUT /pets/1", "PUT /accord-no-such-operation"],
    ]);
    const presence = Object.fromEntries(report.operations?.map((one) => [one.id, one.presence]) ?? []);
    expect(presence).toMatchObject({
      addPet: "there",
      replacePet: "there",
      clearPets: "unknown",
      stopServer: "unknown",
    });
    expect([...pets.keys()]).toEqual(["1"]);
    expect(report.needs?.map(({ need }) => need)).toContainEqual({ kind: "degree", degree: "everything" });
  });

  it("`undone` sends no further write once the server carried out one that it must refuse", async () => {
    const { pets, answer } = servePets();
    // It asks for credentials where it reads, and forgets to where it writes.
    const forgetful: ServedDocument["answer"] = (request, headers, body) =>
      request.startsWith("GET ") && headers.authorization !== "Bearer good" ? [401] : answer(request, headers, body);
    const document = {
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    };
    const { requests } = await verifyServed(
      { paths, answer: forgetful, document },
      { degree: "undone", jobs: 1, accounts: { caller: { secret: createSecret("good") } } },
    );
    const writes = requests.filter((request) => isUnsafe(request.split(" ")[0] ?? ""));
    // The first has a body that cannot be read; the second adds a pet.
    expect(writes.filter((request) => !request.includes("no-such"))).toEqual(["POST /pets", "POST /pets"]);
    expect(pets.size).toBeGreaterThan(0);
  });

  /** Serves the API with an operation that removes a pet. */
  function serveRemovable(): ReturnType<typeof servePets> {
    const { pets, answer } = servePets();
    let last = 100;
    const known = { ...pet, required: ["id", "name"] };
    const remove = { operationId: "removePet", responses: { 204: { description: "" }, 404: refused } };
    return {
      pets,
      paths: {
        ...paths,
        "/pets": {
          ...paths["/pets"],
          get: { operationId: "listPets", responses: { 200: json({ type: "array", items: known }) } },
          post: { operationId: "addPet", requestBody: body, responses: { 201: json(known), 400: refused } },
        },
        "/pets/{id}": {
          ...paths["/pets/{id}"],
          get: { operationId: "getPet", responses: { 200: json(known), 404: refused } },
          delete: remove,
        },
      },
      answer: (request, headers, body) => {
        const [method, place = ""] = request.split(/[ ?]/);
        const [, , found] = place.split("/");
        if (method === "OPTIONS") return [204, undefined, { Allow: found === undefined ? "GET" : "GET, PUT, DELETE" }];
        if (method === "DELETE" && /^.pets.\d+$/.test(place)) return [pets.delete(place.slice(6)) ? 204 : 404];
        if (request !== "POST /pets" || !/^\{"name":"[a-z]+"\}$/.test(body)) return answer(request, headers, body);
        const added = { ...JSON.parse(body), id: ++last };
        pets.set(String(last), added);
        return [201, added];
      },
    };
  }

  it("`undone` removes what it made where nobody needs to log in, and accuses no server of accepting it", async () => {
    const { pets, ...served } = serveRemovable();
    const { requests, report } = await verifyServed({ ...served, isDerived: true }, { degree: "undone" });
    expect(requests.filter((request) => request.startsWith("DELETE /pets/")).length).toBeGreaterThan(0);
    expect([...pets.keys()]).toEqual(["1"]);
    expect(report.created ?? []).toEqual([]);
    expect(JSON.stringify(report.checks)).not.toContain("must refuse");
  });

  it("`everything` removes all things only after each check of one", async () => {
    const { requests, report } = await verifyServed(
      { ...serveRemovable(), isDerived: true },
      { degree: "everything", jobs: 4 },
    );
    const late = requests.slice(requests.indexOf("DELETE /pets")).map((request) => request.replace(/\?.*/, ""));
    expect(late.filter((request) => /^(?:POST|PUT|GET) .pets./.test(request))).toEqual([]);
    expect(report.rules.filter(({ id, state }) => id.startsWith("pets.") && state === "deviating")).toEqual([]);
  });

  it("`everything` sends reads, then creates, then changes, then removals, also those by POST", async () => {
    const { requests } = await verifyServed(servePets(), { degree: "everything", jobs: 4 });
    const ranks = ["GET /pets", "POST /pets", "PUT /pets/1", "DELETE /pets"].map((prefix) => {
      const places = requests.flatMap((request, at) => (request === prefix ? at : []));
      return { first: Math.min(...places), last: Math.max(...places) };
    });
    const [, creates, changes, removals] = ranks;
    expect(creates?.last).toBeLessThan(changes?.first ?? 0);
    expect(changes?.last).toBeLessThan(removals?.first ?? 0);
    expect(requests.indexOf("POST /maintenance")).toBeGreaterThan(changes?.last ?? 0);
  });

  it("is what every report says first: what was not sent, and which option sends it", async () => {
    const { report } = await verifyServed(servePets(), { degree: "reads" });
    const line = /not sent: \d+ checks write: give --disposable if nothing on this server matters/;
    expect(formatSummary(report, { columns: 200 })).toMatch(new RegExp(`^${line.source}`));
    expect(report.verdict).toMatchObject({ word: "PARTIAL", sentence: expect.stringMatching(/checks were not sent/) });
    const plain = (text: string) =>
      text.replace(/<[^>]*>/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    for (const text of [formatHtml(report), formatMarkdown(report)]) expect(plain(text)).toMatch(line);
  });

  it("names what the run created and did not remove", async () => {
    const { report } = await verifyServed(servePets(), { degree: "everything", only: ["addPet"] });
    expect(report.created?.[0]).toEqual({ request: "POST /pets", thing: "/pets/101" });
    expect(formatSummary(report)).toMatch(/^created and not removed: POST \/pets → \/pets\/101/m);
  });
});

describe("without acting", () => {
  const answering = (allow: string): Reply => [204, undefined, { Allow: allow }] as unknown as Reply;

  it.each([
    ["GET, POST", "GET", "there"],
    ["GET, HEAD", "GET", "not-implemented"],
    ["GET, POST", "GET, POST", "unknown"],
  ])("Allow: %s, and elsewhere %s, says that POST is %s", async (allow, elsewhere, presence) => {
    const { url, close } = await listen(
      createServer((request, response) => {
        const isHere = request.url === "/pets";
        if (request.method === "OPTIONS") response.setHeader("Allow", isHere ? allow : elsewhere);
        response
          .writeHead(isHere || request.method === "OPTIONS" ? 200 : 404, { "Content-Type": "application/json" })
          .end("[]");
      }),
    );
    onTestFinished(close);
    const served = { paths: { "/pets": paths["/pets"] }, answer: () => answering("") };
    const { report } = await verifyServed(served, { degree: "reads", url });
    expect(report.operations?.find((one) => one.id === "addPet")?.presence).toBe(presence);
  });
});

describe("an exclusion", () => {
  it("sends nothing to an operation, not even to find out whether it is there, and lists it", async () => {
    for (const exclude of [["POST /maintenance"], ["stop*"]]) {
      const { report, requests } = await verifyServed(servePets(), { degree: "everything", exclude });
      expect(requests.filter((request) => request.includes("/maintenance"))).toEqual([]);
      const text = formatSummary(report, { columns: 200 });
      expect(text).toMatch(/^not sent: \d+ checks, because .* is excluded$/m);
    }
  });

  it("may name a check", async () => {
    const { report } = await verifyServed(servePets(), { exclude: ["operation addPet"], only: ["addPet"] });
    const reasons = report.checks.flatMap((check) => (check.id === "operation addPet" ? check.reason : []));
    expect(reasons).toEqual(["it is excluded by operation addPet"]);
  });

  it("of an unknown name is an error that suggests similar ones", async () => {
    await expect(verifyServed(servePets(), { exclude: ["stopServe"] })).rejects.toThrow(
      /^No operation or check has the name `stopServe`. Similar: `stopServer`/,
    );
  });
});

it("an account of a document without security schemes is an error, since it would not be sent", async () => {
  const accounts = { caller: { secret: createSecret("good") } };
  await expect(verifyServed(servePets(), { accounts })).rejects.toThrow(/no security scheme .* give --header/);
});

it("the session refuses every unsafe request in a run that reads, whichever check sends it", async () => {
  for (const name of ["museum", "parcels"]) {
    const source = await loadExample(name);
    const seen: string[] = [];
    const { url: origin, close } = await listen(
      createServer((request, response) => {
        seen.push(request.method ?? "");
        request.resume();
        response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
      }),
    );
    onTestFinished(close);
    const { checks, probes, operations, validators } = await contractAtLevel(source, source.newestLevel);
    const { refuse } = createGate({
      ...{ degree: "reads", operations, refusesOutsiders: true, exclude: [], exclusionOf: () => undefined },
      ...{ basePath: "", hasStates: true, hasCallers: true },
    });
    const target = {
      ...{ url: `${origin}${basePath(source.document)}`, document: source.document, states: source.states },
      ...{ operations, validators, refuse, timeoutMs: 30_000, signal: new AbortController().signal },
    };
    const stateless = ({ steps, ...check }: Check): Check => ({
      ...check,
      steps: steps.flatMap((step) =>
        step.kind === "call" ? { ...step, as: "nobody" } : step.kind === "state" ? [] : step,
      ),
    });
    for (const check of [...checks, ...probes])
      await runSteps(stateless(check), createRestSession(target, check.id)).catch(() => {});
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter(isUnsafe)).toEqual([]);
  }
});

describe("a server that converts values", () => {
  const ids = { type: "object", required: ["ids"], properties: { ids: { type: "array", items: { type: "integer" } } } };
  const removal = {
    operationId: "deleteInactiveUsers",
    requestBody: { required: true, content: { "application/json": { schema: ids, example: { ids: [7] } } } },
    responses: { 200: json({ type: "object" }), 400: { description: "" } },
  };

  /** Verifies a Fastify server, whose default is to convert values, and returns which users are left. */
  async function verifyUsers(degree: (typeof degrees)[number]): Promise<number[]> {
    const users = new Set([1, 2, 7]);
    const app = fastify();
    app.get("/users", async () => [...users]);
    app.post<{ Body: { ids: number[] } }>("/users/inactive/delete", { schema: { body: ids } }, async (request) => {
      for (const one of request.body.ids) users.delete(one);
      return {};
    });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => app.close());
    const list = { operationId: "listUsers", responses: { 200: json({ type: "array" }) } };
    const served = { "/users": { get: list }, "/users/inactive/delete": { post: removal } };
    await verifyServed({ paths: served, answer: () => [404] }, { degree, url });
    return [...users];
  }

  it("is unharmed unless everything may be sent", async () => {
    expect(await verifyUsers("reads")).toEqual([1, 2, 7]);
    expect(await verifyUsers("undone")).toEqual([1, 2, 7]);
    expect(await verifyUsers("everything")).not.toContain(1);
  });
});

it("a rate limits every request of a run", async () => {
  const rate = 50;
  const started = performance.now();
  const { requests } = await verifyServed(servePets(), { degree: "reads", rate, jobs: 8 });
  const ms = performance.now() - started;
  expect(requests.length).toBeGreaterThan(10);
  expect(ms).toBeGreaterThan(((requests.length - 1) * 1000) / rate - 50);
});

it("reads an exclusion from the contract", async () => {
  const museum = { ...(await loadExample("museum")), exclude: ["*"] };
  const seen: string[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      seen.push(request.url ?? "");
      response.end();
    }),
  );
  onTestFinished(close);
  const { checks } = await verifyRest(museum, { url: `${url}${basePath(museum.document)}`, seed: 1 });
  expect(new Set(checks.map(({ outcome }) => outcome.kind))).toEqual(new Set(["skipped"]));
  expect(seen).toEqual([]);
});
