import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parse } from "yaml";
import { createChatMock } from "../../src/mock/chat/create-chat-mock.js";
import { createStatesClient } from "../../src/verify/chat/states-client.js";
import { startFaultProxy } from "../../test/faults/chat/create-fault-proxy.js";
import { outputOf } from "../output-of.js";
import { createBaselines, type Subject, type Tool } from "./tool.js";

interface Profile {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/**
 * Dredd without hooks, with the profile of the contract that it can read and the key of a member. Such a run knows no provider states, so
 * it is made twice, before the reference server and before the mock, which answers the examples; what either shows counts.
 */
export async function createPlainDredd(): Promise<Tool> {
  const script = createRequire(import.meta.url).resolve("dredd/bin/dredd");
  const profile: Profile = parse(
    await readFile(new URL("../../generated/chat/openapi.dredd.yaml", import.meta.url), "utf8"),
  );
  const mock = await createChatMock();
  const folder = await mkdtemp(join(tmpdir(), "accord-faults-"));
  let count = 0;

  async function failing(url: string, authorization: string, operations: readonly string[]): Promise<string[]> {
    const file = join(folder, `${count++}.json`);
    await writeFile(file, JSON.stringify(confine(profile, operations)));
    const args = [script, file, `${url}/api/v1`, "--header", `Authorization: ${authorization}`, "--loglevel=error"];
    const lines = stripVTControlCharacters(await outputOf(args)).split("\n");
    if (!lines.some((line) => line.startsWith("complete:"))) throw new Error("Dredd has not come to an end");
    return lines.flatMap((line) => /^fail: ([A-Z]+ \(\d+\) .*?)(?: duration: .*)?$/.exec(line)?.[1] ?? []);
  }

  async function find({ behaviour, reference, operations }: Subject): Promise<string[]> {
    const found: string[] = [];
    for (const server of [reference, mock]) {
      const { url, statesUrl, close } = await startFaultProxy(server.url, behaviour);
      try {
        const authorization = server === mock ? basic("user@example.com", "key") : await memberOf(statesUrl);
        const failed = await failing(url, authorization, operations);
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

function confine(profile: Profile, operations: readonly string[]): Profile {
  const isWanted = (id: string) => operations.some((operation) => id.startsWith(`${operation}_`));
  const paths = Object.entries(profile.paths).filter(([, methods]) =>
    Object.values(methods).some(({ operationId }) => isWanted(operationId)),
  );
  return { ...profile, paths: Object.fromEntries(paths) };
}

async function memberOf(statesUrl: string): Promise<string> {
  const { credentials } = await createStatesClient(statesUrl).setUp([]);
  const { member } = credentials;
  if (member === undefined) throw new Error("the reference server has made no member");
  return basic(member.email, member.api_key);
}

function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
}
