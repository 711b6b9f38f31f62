import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Listening } from "../src/base/listen.js";
import { loadContract } from "../src/chat/contract.js";
import { createChatMock } from "../src/chat/mock.js";
import { formatContract } from "../src/contract/rest/contract-file.js";
import { generatorsProfile } from "../src/contract/rest/profiles/generators-profile.js";
import { guideExample } from "./support/guide-example.js";
import { needing } from "./support/needing.js";
import { sampleOf } from "./support/thorough.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
/** Each generator takes seconds. */
const tools = sampleOf(
  ["hey-api", "oazapfts", "orval", "openapi-typescript", "openapi-zod-client", "swagger-typescript-api"],
  3,
);
const examples = join(root, "examples/generators");

const { describe } = needing("client-generators");

let mock: Listening;
let folder = "";
async function prepare(): Promise<void> {
  mock = await createChatMock();
  // Inside the package of the generators, so that their packages resolve, and those of the checkout.
  folder = mkdtempSync(join(root, "test/generators/node_modules/.run-"));
  writeFileSync(join(folder, "chat.yaml"), formatContract(generatorsProfile(await loadContract()), "yaml"));
  writeFileSync(join(folder, "orval.config.ts"), retargeted(readFileSync(join(examples, "orval.config.ts"), "utf8")));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  await Promise.all(tools.map(generate));
}

async function cleanUp(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await mock.close();
}

/** Replaces the address in an example with that of the mock. */
function retargeted(code: string): string {
  return code.replaceAll("http://127.0.0.1:4010", mock.url);
}

/** Runs the line of the guide that generates a client, and writes the program of the guide beside it. */
async function generate(tool: string): Promise<void> {
  const path = [
    join(root, "test/generators/node_modules/.bin"),
    join(root, "node_modules/.bin"),
    process.env.PATH,
  ].join(delimiter);
  const name = tool === "hey-api" ? "openapi-ts" : tool;
  const commands = guideExample("docs/generators.md", "commands").replaceAll(/^npx --no-install /gm, "");
  const [program = "", ...line] =
    commands
      .split("\n")
      .map((command) => command.split(" "))
      .find(([first]) => first === name) ?? [];
  await run(program, line, { cwd: folder, env: { ...process.env, PATH: path } });
  const code =
    tool === "hey-api" ? guideExample("docs/generators.md", tool) : readFileSync(join(examples, `${tool}.ts`), "utf8");
  writeFileSync(join(folder, `use-${tool}.ts`), retargeted(code));
}

describe("docs/generators.md", () => {
  beforeAll(prepare);
  afterAll(cleanUp);

  it.concurrent("shows programs that compile with --strict", async () => {
    const files = tools.map((tool) => `use-${tool}.ts`);
    const options =
      "--ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck";
    const compiler = join(root, "node_modules/typescript-7/bin/tsc");
    const types = ["--types", "node", "--lib", "es2023,dom,dom.iterable"];
    await run(process.execPath, [compiler, ...options.split(" "), ...types, ...files], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => expect.fail(stdout),
    );
  });

  it.concurrent.each(tools)("sends arrays in forms and queries, and a file: %s", async (tool) => {
    const { stdout } = await run(process.execPath, ["--import", "tsx", `use-${tool}.ts`], { cwd: folder });
    expect(stdout).toBe("[ 'Denmark' ] [ 'Verona' ]\nWhere is the money\nnotes.txt\nno channel nordic folk dance\n");
  });
});
