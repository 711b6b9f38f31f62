import {
  type CaseRun,
  type CheckedRpcServer,
  createSecretFinder,
  defineRpcCheck,
  type RpcCase,
  type RpcContract,
  type Surface,
} from "../../src/checks.js";
import { secretsOf } from "./secrets.js";

/** Where a secret breaks a rule that is about one place. */
const placeOf: Readonly<Record<string, Surface | "logs">> = {
  "redaction.message": "message",
  "redaction.details": "details",
  "redaction.metadata": "metadata",
  "redaction.reply": "reply",
  "redaction.logs": "logs",
};

/** The cases that have been sent, by run. */
const sent = new WeakMap<object, Set<string>>();

/** In code, because a secret may be spelt in many ways, and shows nothing if the daemon did not fetch. */
export const redaction = Object.keys(secretsOf).map((name) =>
  defineRpcCheck({
    id: `case ${name}`,
    run: async (server) => {
      server.conceal(secretsOf[name] ?? []);
      const { example, exchange, fetched, conclude } = await send(server, name);
      if (exchange === undefined) return conclude();
      const find = createSecretFinder(secretsOf[name] ?? []);
      for (const surface of ["message", "details", "metadata", "reply"] as const) {
        for (const [place, text] of Object.entries(exchange.texts[surface])) {
          if (find(text).length === 0) continue;
          server.fail(`${place} shows a secret of the URL`, ...brokenBy(example, surface, server.contract));
        }
      }
      if (exchange.status === "unimplemented") server.skip("the server answered `unimplemented`");
      conclude();
      if (!fetched && !(await server.fetches()))
        server.skip(
          "the server does not fetch from http://127.0.0.1, where the hosts of the cases are served. Allow it to",
        );
      if (fetched === 0 && "url" in example.request) server.skip("the server answered without fetching the URL");
      if (exchange.status === "ok") {
        const others = [example.rule, ...(example.also ?? [])].filter((id) => id !== "redaction.reply");
        server.hide("fetching caused no error", ...others);
      }
    },
  }),
);

/** In code, because it searches a file. */
export const logFile = defineRpcCheck({
  id: "log file",
  operation: "log",
  summary: "The log holds no secret of a URL",
  rules: ["redaction.logs"],
  isLast: true,
  run: async (server) => {
    const { log, contract, selected, run } = server;
    if (log === undefined) return server.skip("it needs --log-file");
    const all = contract.cases.filter(({ name, rpc }) => name in secretsOf && server.mayCall(rpc));
    const chosen = all.filter(({ name }) => selected.has(`case ${name}`));
    const cases = chosen.length === 0 ? all : chosen;
    const missing = cases.filter(({ name }) => sent.get(run)?.has(name) !== true);
    await Promise.all(missing.map(({ name }) => send(server, name)));
    const owners = cases.map(({ name }) => ({ name, secrets: secretsOf[name] ?? [] }));
    server.conceal(owners.flatMap(({ secrets }) => secrets));
    const didFetch = await server.fetches();
    let found = await log.search(owners);
    if (found.findings.length === 0 && didFetch) {
      await log.untilQuiet();
      found = await log.search(owners);
    }
    for (const { line, cases: names } of found.findings) {
      const where = line === undefined ? "a line of the log that was moved away" : `line ${line} of the log`;
      const about = cases.filter(({ name }) => names.includes(name));
      const broken = about.flatMap((one) => brokenBy(one, "logs", contract));
      server.fail(`${where} shows a secret of ${names.join(", ")}`, ...broken);
    }
    if (found.findings.length > 0) return;
    const [gap] = found.gaps;
    if (gap !== undefined) server.giveUp(gap.reason, gap.help);
    if (found.searchedBytes === 0) {
      const reason = `The server wrote nothing to ${log.path} while the cases ran`;
      server.giveUp(reason, "Give the file that the server logs to, and let it log errors");
    }
    if (!didFetch) server.skip("the server fetched nothing that it could log");
  },
});

/** The rules of a case that a secret in a place breaks. If there are none, its main rule. */
function brokenBy({ rule, also = [] }: RpcCase, place: Surface | "logs", { rules }: RpcContract): string[] {
  const isBroken = (id: string) => {
    if (placeOf[id] !== undefined) return placeOf[id] === place;
    if (rules.some((one) => one.id === id && one.strength === "should")) return true;
    return place !== "reply" && !(id === "redaction.user-interface" && place === "logs");
  };
  const broken = [rule, ...also].filter(isBroken);
  return broken.length === 0 ? [rule] : broken;
}

async function send(server: CheckedRpcServer, name: string): Promise<CaseRun> {
  sent.set(server.run, (sent.get(server.run) ?? new Set()).add(name));
  return server.runCase({
    name,
    isOpen: true,
    // Only the log shows the effect.
    isCanceled: name === "redact-canceled",
    ...(name === "redact-too-long-url"
      ? { change: (request) => ({ ...request, url: `${request.url}${"x".repeat(20_000)}` }) }
      : {}),
  });
}
