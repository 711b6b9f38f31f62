import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import type { Tables } from "../../../reference/chat/storage/tables.js";
import { chatContract } from "../../../src/chat/contract.js";
import type { RestContract } from "../../../src/contract/rest/rest-contract.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { createSecret } from "../../../src/secrets/secret.js";
import { verifyRest } from "../../../src/verify/rest/verify-rest.js";
import type { MuseumFault } from "../../contracts/museum/faults.js";
import { startMuseum } from "../../contracts/museum/server.js";
import { loadExample } from "../../contracts/verify-contract.js";

let museum: RestContract;
beforeAll(async () => {
  museum = await loadExample("museum");
});

async function setUp(statesUrl: string, state: string, params = {}) {
  const response = await fetch(statesUrl, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ state, params, action: "setup" }),
  });
  return (await response.json()) as { credentials: Record<string, Record<string, string>>; stream_id?: number };
}

/** Verifies a museum with its accounts, and returns its exhibits before and after. */
async function verifyMuseum(fault?: MuseumFault) {
  const { url, statesUrl, close } = await startMuseum(fault);
  onTestFinished(close);
  const { credentials } = await setUp(statesUrl, "museum");
  const token = (caller: string) => credentials[caller]?.access_token ?? "";
  const read = async () => {
    const response = await fetch(`${url}/exhibits`, { headers: { Authorization: `Bearer ${token("curator")}` } });
    return (await response.json()) as unknown;
  };
  const before = await read();
  const accounts = {
    curator: { secret: createSecret(token("curator")) },
    visitor: { secret: createSecret(token("visitor")) },
  };
  const writes: string[] = [];
  const onWrites = (lines: readonly string[]) => void writes.push(...lines);
  const report = toJsonReport(await verifyRest(museum, { url, accounts, degree: "undone", onWrites, seed: 1 }));
  const created = report.checks.find(({ id }) => id === "workflow exhibits-create-and-read");
  return { before, after: await read(), writes, created };
}

/** Every row of the organizations, without uploads that began and have no byte: no user sees them, and they expire. */
async function readTables({ services: { database } }: ChatReference) {
  const tables = await database.introspection.getTables();
  const others = tables.filter(({ name }) => name !== "upload_part");
  const rows = others.map(async ({ name }) => {
    const all = await database
      .selectFrom(name as keyof Tables)
      .selectAll()
      .execute();
    // It counts the requests that could change something.
    return [name, all.map((row) => ({ ...row, revision: undefined }))];
  });
  return Object.fromEntries(await Promise.all(rows)) as Record<string, unknown>;
}

describe("verifyRest with accounts that may write", () => {
  it("runs a workflow that removes what it creates, and says what it writes", async () => {
    const { before, after, writes, created } = await verifyMuseum();
    expect(created?.verdict).toBe("passed");
    expect(writes).toContain("writes: POST /exhibits by curator");
    expect(writes).toContain("writes: DELETE /exhibits/{exhibit_id} by curator");
    expect(after).toEqual(before);
  });

  it.each<MuseumFault>(["create-without-location", "create-other-location", "create-other-fields"])(
    "removes what it created although the check failed because of %s",
    async (fault) => {
      const { before, after, created } = await verifyMuseum(fault);
      expect(created?.verdict).toBe("failed");
      expect(after).toEqual(before);
    },
  );

  it("leaves a chat organization as it was", async () => {
    const server = await createChatReference({ states: true });
    onTestFinished(server.close);
    const { credentials } = await setUp(server.statesUrl ?? "", "channel", {
      name: "Denmark",
      subscribers: ["member"],
    });
    const accounts = Object.fromEntries(
      Object.entries(credentials).flatMap(([caller, { email = "", api_key = "" }]) =>
        caller === "deactivated" ? [] : [[caller, { name: email, secret: createSecret(api_key) }]],
      ),
    );
    const before = await readTables(server);
    const url = `${server.url}/api/v1`;
    const { exercised } = toJsonReport(
      await verifyRest(await chatContract(), { url, accounts, degree: "undone", seed: 1 }),
    ).exercise;
    expect(exercised).toBeGreaterThan(10);
    expect(await readTables(server)).toEqual(before);
    const parts = await server.services.database.selectFrom("upload_part").select("received").execute();
    expect(parts.filter(({ received }) => received > 0)).toEqual([]);
  });
});
