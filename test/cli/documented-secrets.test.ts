import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { percentDecode } from "../../src/base/percent-decode.js";
import { basicCredentials } from "../../src/verify/http/with-login.js";
import { listenOn } from "../support/listen-on.js";
import { runInProcess } from "../support/run-in-process.js";
import { spellings } from "../support/spellings.js";

/** What no output may show, in any spelling: most leave its middle as it is. */
const middle = "k7Zr2vPk9wXs4t";
const key = `a/s+w&${middle}=9"\\Z`;
const inBase64 = ["", "u", "uv"].map((before) =>
  Buffer.from(before + middle)
    .toString("base64")
    .slice(4, -4),
);

const digits = Buffer.from(middle).toString("hex");
const inHex = [digits, digits.toUpperCase()];

interface Scheme {
  readonly scheme: object;
  /** The request of a client. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Undefined if `accord verify` cannot carry it. */
  readonly account?: string;
}

const encoded = encodeURIComponent(key);
const authorization = (value: string) => ({ headers: { authorization: value } });

const schemes: Readonly<Record<string, Scheme>> = {
  "a key in a header": {
    scheme: { type: "apiKey", in: "header", name: "X-Weird" },
    headers: { "x-weird": key },
    account: key,
  },
  "a key in a query parameter": {
    scheme: { type: "apiKey", in: "query", name: "zq" },
    query: `zq=${encoded}&`,
    account: key,
  },
  "a key in a cookie": {
    scheme: { type: "apiKey", in: "cookie", name: "crumb" },
    headers: { cookie: `theme=dark; crumb=${encoded}` },
    account: key,
  },
  "HTTP Basic": {
    scheme: { type: "http", scheme: "basic" },
    ...authorization(basicCredentials("ada", key)),
    account: `ada:${key}`,
  },
  "HTTP Bearer": { scheme: { type: "http", scheme: "bearer" }, ...authorization(`Bearer ${key}`), account: key },
  "another scheme of HTTP": { scheme: { type: "http", scheme: "hoba" }, ...authorization(`HOBA ${key}`) },
  "OAuth 2": {
    scheme: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://a.example/", scopes: {} } } },
    ...authorization(`Bearer ${key}`),
    account: key,
  },
  "OpenID Connect": {
    scheme: { type: "openIdConnect", openIdConnectUrl: "https://a.example/" },
    ...authorization(`Bearer ${key}`),
    account: key,
  },
};

const operation = (operationId: string) => ({
  operationId,
  responses: {
    200: {
      description: "found",
      content: {
        "application/json": { schema: { type: "object", required: ["id"], properties: { id: { type: "integer" } } } },
      },
    },
    "4XX": { description: "refused" },
  },
});

/** Starts a server that repeats each request in every spelling, in a response that breaks the contract. */
async function startEcho(): Promise<string> {
  const server = createServer((request, response) => {
    const { authorization = "", cookie = "", ...headers } = request.headers;
    const sent = Buffer.from(authorization.replace(/^\S+ /, ""), "base64").toString("utf8").replace(/^ada:/, "");
    const has = Object.values(request.headers).join() + request.url;
    const echoed = sent.includes(middle) || percentDecode(has).includes(middle) ? key : "";
    response.statusCode = /^\/things(?![^?])/.test(request.url ?? "") ? (echoed === "" ? 401 : 200) : 404;
    response.setHeader("Content-Type", "application/json");
    response.setHeader("X-Echo", encodeURIComponent(echoed));
    response.setHeader("Link", `<${request.url}>`);
    const all = Object.fromEntries(Object.entries(spellings).map(([name, spell]) => [name, spell(echoed)]));
    const link = `?${request.url?.split("?")[1]?.replace(/^zq=/, "ZQ=")}`;
    response.end(JSON.stringify({ id: echoed, authorization, cookie, headers, [echoed]: 1, link, ...all }));
  });
  const port = await listenOn(server);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

/** Runs a command in a project with one scheme, and returns the exit code and the outputs that show the key. */
function createProject({ scheme }: Scheme) {
  const folder = mkdtempSync(join(tmpdir(), "accord-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const document = {
    openapi: "3.1.0",
    info: { title: "Echo", version: "1.0.0" },
    security: [{ login: [] }],
    components: { securitySchemes: { login: scheme } },
    paths: { "/things": { get: operation("listThings"), post: operation("addThing") } },
  };
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  writeFileSync(join(folder, "accord.yaml"), "contracts: {echo: {openapi: openapi.json}}\n");
  const file = (name: string) => join(folder, name);
  const project = ["--project", file("accord.yaml")];
  const outputs = (command: string) => [
    ...["json", "html", "junit", "markdown", "ctrf"].flatMap((kind) => [`--${kind}`, file(`${command}.${kind}`)]),
    ...["--write-known-failing", file(`${command}.yaml`)],
  ];
  return {
    file,
    run: (command: string, ...args: string[]) =>
      runInProcess(command, "echo", ...args, ...project, ...outputs(command)).then((end) => {
        writeFileSync(file(`${command}.terminal`), end.stdout + end.stderr);
        return end;
      }),
    leaks: () =>
      readdirSync(folder).filter((name) =>
        [middle, ...inBase64, ...inHex].some((text) => readFileSync(file(name), "utf8").includes(text)),
      ),
  };
}

describe.each(Object.entries(schemes))("the value of %s", (_, scheme) => {
  it.skipIf(scheme.account === undefined)("is in no output of verify", async () => {
    const { run, leaks } = createProject(scheme);
    const { code, stdout } = await run("verify", await startEcho(), "--account", scheme.account ?? "");

    expect(leaks()).toEqual([]);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining("***") });
  });

  it("is in no output of proxy and check, nor in a recording", async () => {
    const { run, leaks, file } = createProject(scheme);
    const probe = createServer();
    const port = await listenOn(probe);
    await new Promise((resolve) => probe.close(resolve));
    const proxy = run("proxy", await startEcho(), "--port", String(port), "--har", file("traffic.har"));
    const url = `http://127.0.0.1:${port}`;
    await expect
      .poll(() =>
        fetch(`${url}/accord/report`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    const { headers = {}, query = "" } = scheme;
    await fetch(`${url}/things?${query}odd=${encoded}`, { headers });
    const body = JSON.stringify({ [key]: key });
    await fetch(`${url}/things?${query}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    await fetch(`${url}/none/${encoded}?${query}`, { headers });
    // The key remains secret in a later request without it.
    await fetch(`${url}/none/${encoded}`);
    process.emit("SIGHUP");
    expect((await proxy).code).toBe(1);
    const har = file("clear.har");
    const recorded = JSON.parse(readFileSync(file("traffic.har"), "utf8"));
    for (const { request } of recorded.log.entries) {
      request.headers = request.headers.filter((one: { name: string }) => !Object.hasOwn(headers, one.name));
      request.headers.push(...Object.entries(headers).map(([name, value]) => ({ name, value })));
      request.url = `${url}/things?${query}odd=${encoded}`;
    }
    writeFileSync(har, JSON.stringify(recorded));
    const { code, stdout } = await run("check", har);

    expect(leaks()).toEqual(["clear.har"]);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining("***") });
  });
});
