import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatContract } from "../../../src/chat/contract.js";
import { chatPlugin } from "../../../src/chat/server/fastify.js";
import { unimplementedHandlers } from "../../../src/chat/server/index.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { createSecret } from "../../../src/secrets/secret.js";
import { verifyRest } from "../../../src/verify/rest/verify-rest.js";
import { hasThreeOperations, missingInWays, startUnfinishedServer } from "./unfinished-server.js";

const there = ["addDefaultChannel", "removeDefaultChannel", "muteUser"];

describe("a server with three operations", () => {
  it.each(Object.entries(missingInWays))("that answers %s to all others", async (_, missing) => {
    const { url, statesUrl } = await startUnfinishedServer(hasThreeOperations, missing);
    const report = await verifyRest(await chatContract(), {
      url,
      statesUrl,
      level: 415,
      seed: 1,
      jobs: 2,
      timeoutMs: 300_000,
    });
    const { operations = [] } = report;
    expect(operations.filter(({ presence }) => presence === "there").map(({ id }) => id)).toEqual(there);
    expect(operations.filter(({ presence }) => presence === "not-implemented")).toHaveLength(operations.length - 3);

    const missingRules = new Set(operations.flatMap(({ presence, rules }) => (presence === "there" ? [] : rules)));
    const judged = toJsonReport(report).rules.filter(({ state }) => ["kept", "broken", "deviating"].includes(state));
    expect(judged.filter(({ id }) => missingRules.has(id)).map(({ id, state }) => `${id} ${state}`)).toEqual([]);
    expect(judged.filter(({ state }) => state !== "kept").map(({ id }) => id)).toEqual([]);
    expect(judged.map(({ id }) => id)).toContain("default-channels.add.administrators-only");
    const failed = report.checks.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "errored");
    expect(failed.filter(({ kind }) => kind !== "operation").map(({ id, outcome }) => [id, outcome])).toEqual([]);
  });
});

describe("the stub of the README with an account", () => {
  it.each(["reads", "undone"] as const)("lacks every operation without a handler (%s)", async (degree) => {
    const app = Fastify();
    const stub = chatPlugin<{ email: string }>({
      authenticate: (login) => (login.kind === "basic" ? { email: login.email } : undefined),
      handlers: {
        ...unimplementedHandlers(),
        unsubscribe: ({ parameters: { subscriptions } }) => ({ removed: [], not_removed: subscriptions }),
      },
    });
    const url = await app.register(stub).listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => app.close());
    const accounts = { member: { name: "me@example.com", secret: createSecret("key") } };
    const usual = { url: `${url}/api/v1`, level: 415, seed: 1, jobs: 2, timeoutMs: 300_000, accounts };
    const { operations = [], rules } = toJsonReport(await verifyRest(await chatContract(), { ...usual, degree }));
    const others = operations.filter(({ id }) => id !== "unsubscribe" && id !== "createResumableUpload");
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(({ state }) => state !== "not-implemented")).toEqual([]);
    const judged = new Set(rules.flatMap(({ id, state }) => (state === "kept" || state === "broken" ? id : [])));
    expect(others.flatMap((operation) => operation.rules.filter((rule) => judged.has(rule)))).toEqual([]);
  });
});

describe("a server without a parameter of an operation", () => {
  it("does not keep rules about its refusals, which have another cause", async () => {
    const { url, statesUrl } = await startUnfinishedServer(
      () => true,
      () => {},
      (target) => target.replace(/([?&])message_ids=[^&]*/g, "$1"),
    );
    const only = ["messages.get."];
    const report = await verifyRest(await chatContract(), {
      url,
      statesUrl,
      level: 415,
      seed: 1,
      jobs: 2,
      timeoutMs: 300_000,
      only,
    });
    const states = new Map(toJsonReport(report).rules.map(({ id, state }) => [id, state]));
    const about = [...states].filter(([id]) => id.startsWith("messages.get.message-ids"));
    expect(about.length).toBeGreaterThan(4);
    expect(about.filter(([, state]) => state === "kept")).toEqual([]);
    expect(states.get("messages.get.anchor-id")).toBe("kept");
  });
});
