import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { loadContract } from "../../src/chat/contract.js";
import { createChatMock } from "../../src/chat/mock.js";
import { listCases } from "../../src/contract/rest/cases.js";
import { type DreddProfile, dreddProfile } from "../../src/contract/rest/profiles/dredd-profile.js";
import { createStatesClient } from "../../src/verify/states/states-client.js";
import { captureOutput } from "../capture-output.js";
import { startFaultProxy } from "./chat/create-fault-proxy.js";
import { createBaselines, type Subject, type Tool } from "./tool.js";

/**
 * Dredd without hooks, with the contract profile for Dredd and the API key of a member. Because no provider states are available, Dredd
 * runs twice, against the reference server and against the mock, which returns the examples; findings of either run count.
 */
export async function createPlainDredd(): Promise<Tool> {
  const script = createRequire(import.meta.url).resolve("dredd/bin/dredd");
  const contract = await loadContract();
  const profile = dreddProfile(contract, listCases(contract), newestLevel);
  const mock = await createChatMock();
  const folder = await mkdtemp(join(tmpdir(), "accord-faults-"));
  let count = 0;

  async function failedTransactions(
    url: string,
    authorization: string,
    operations: readonly string[],
  ): Promise<string[]> {
    const file = join(folder, `${count++}.json`);
    await writeFile(file, JSON.stringify(restrictTo(profile, operations)));
    const args = [script, file, `${url}/api/v1`, "--header", `Authorization: ${authorization}`, "--loglevel=error"];
    const lines = stripVTControlCharacters(await captureOutput(args)).split("\n");
    if (!lines.some((line) => line.startsWith("complete:"))) throw new Error("Dredd did not complete");
    return lines.flatMap((line) => /^fail: ([A-Z]+ \(\d+\) .*?)(?: duration: .*)?$/.exec(line)?.[1] ?? []);
  }

  async function find({ behaviour, reference, operations }: Subject): Promise<string[]> {
    const found: string[] = [];
    for (const server of [reference, mock]) {
      const { url, statesUrl, close } = await startFaultProxy(server.url, behaviour);
      try {
        const authorization = server === mock ? basic("user@example.com", "key") : await memberAuthorization(statesUrl);
        const failed = await failedTransactions(url, authorization, operations);
        found.push(...failed.map((name) => `${server === mock ? "mock" : "reference"}: ${name}`));
      } finally {
        await close();
      }
    }
    return found;
  }

  const baselineOf = createBaselines(find);
  return {
    name: "plain Dredd",
    report: async (subject) => {
      const baseline = new Set(await baselineOf(subject));
      return (await find(subject)).filter((one) => !baseline.has(one));
    },
    close: async () => {
      await mock.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function restrictTo(profile: DreddProfile, operations: readonly string[]): DreddProfile {
  const isWanted = (id: string) => operations.some((operation) => id.startsWith(`${operation}_`));
  const paths = Object.entries(profile.paths).filter(([, methods]) =>
    Object.values(methods).some(({ operationId }) => isWanted(operationId)),
  );
  return { ...profile, paths: Object.fromEntries(paths) };
}

async function memberAuthorization(statesUrl: string): Promise<string> {
  const { credentials } = await createStatesClient(statesUrl).setUp([{ state: "organization" }]);
  const { member } = credentials;
  if (member === undefined) throw new Error("the reference server created no member");
  return basic(String(member.email), String(member.api_key));
}

function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
}
