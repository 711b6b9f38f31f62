import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as Reference from "../reference/chat/create-chat-reference.js";
import type { VerifyRestOptions } from "../src/verify/rest/verify-rest.js";
import type * as Verify from "../src/verify-contract.js";
import { root } from "./checks/run-tool.js";
import { instrument, type Mutant, mutantsOf } from "./mutants/instrument.js";

// Which mutants of the reference server do the checks of the contract kill? Changes `dist/`, so run it in a copy of the project, after
// `npm run build`: npm run mutants -- <number of mutants per file> <seconds> <first id>. Writes mutants.json.
// Afterwards, ACCORD_MUTANT=<id> npm run test:unit -- <path> shows whether a test kills a mutant.

/** The folders that the rules of the contract are about. The others keep data, serve HTTP, or set up states. */
const folders = [
  "access",
  "channels",
  "delivery",
  "groups",
  "messages",
  "organizations",
  "profile-fields",
  "rendering",
];

const [perFile = "4", seconds = "600", firstId = "0"] = process.argv.slice(2);
const files = [...folders, "uploads", "users"].flatMap((folder) => {
  const path = join(root, "dist/reference/chat", folder);
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".js")).map((name) => join(path, name));
});
const mutants: Mutant[] = [];
for (const file of files) mutants.push(...instrument(file, root, mutants.length));
const state = mutantsOf(globalThis);

const load = <Module>(path: string): Promise<Module> => import(join(root, "dist", path));
const { createChatReference } = await load<typeof Reference>("reference/chat/create-chat-reference.js");
const { chat, verify: verifyContract } = await load<typeof Verify>("src/verify-contract.js");

async function verify(options: Partial<VerifyRestOptions>): Promise<void> {
  const server = await createChatReference({ states: true });
  const { url, statesUrl } = server;
  const all = { seed: 1, degree: "everything", timeoutMs: 10_000, ...options } as const;
  await verifyContract(chat, `${url}/api/v1`, { statesUrl, ...all }).finally(server.close);
}

/** The checks that reach each mutant and pass on the unchanged server. */
const reaching = new Map<number, string[]>();
state.seen.clear();
await verify({
  jobs: 1,
  onCheck: ({ id, outcome }) => {
    if (outcome.kind === "passed")
      for (const mutant of state.seen) reaching.set(mutant, [...(reaching.get(mutant) ?? []), id]);
    state.seen.clear();
  },
});

const chosen = files.flatMap((file) => {
  const own = mutants.filter((mutant) => mutant.file === file.slice(root.length));
  const nth = Math.max(1, Math.floor(own.length / Number(perFile)));
  return own.filter((_, index) => index % nth === Math.floor(nth / 2));
});
const until = Date.now() + Number(seconds) * 1000;
const judged: (Mutant & { readonly checks: number; readonly killedBy: string | undefined })[] = [];
for (const mutant of chosen.filter(({ id }) => id >= Number(firstId))) {
  if (Date.now() > until) break;
  const only = reaching.get(mutant.id) ?? [];
  let killedBy: string | undefined;
  if (only.length > 0) {
    state.active = mutant.id;
    const onCheck: VerifyRestOptions["onCheck"] = ({ id, outcome }) => {
      if (outcome.kind !== "passed" && only.includes(id)) killedBy ??= id;
    };
    await verify({ only, bail: true, jobs: 2, onCheck }).catch((error: unknown) => {
      killedBy ??= String(error);
    });
    state.active = -1;
  }
  judged.push({ ...mutant, checks: only.length, killedBy });
  process.stderr.write(`${mutant.id} ${mutant.file}:${mutant.line} ${mutant.change}: ${killedBy ?? "SURVIVES"}\n`);
  writeFileSync(join(root, "mutants.json"), `${JSON.stringify(judged, undefined, 1)}\n`);
}
