import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type * as Reference from "../reference/chat/create-chat-reference.js";
import type { CheckResult } from "../src/report/model/check-result.js";
import type * as Verify from "../src/verify-contract.js";
import { root } from "./checks/run-tool.js";
import { instrument, type Mutant, mutantsOf } from "./mutants/instrument.js";

// Which mutants of the reference server do the checks of the contract kill? Changes `dist/`, so run it in a copy of the project, after
// `npm run build`: npm run mutants -- <seconds>. Each run of all checks tries another mutant with each check, so a try costs one check.
// Writes mutants.json, with which it goes on if it is run again after another build: a mutant may end the process.
// Afterwards, ACCORD_MUTANT=<id> npm run test:unit -- <path> shows whether a test kills a mutant.

const maxTries = 40;
/** The checks that try a mutant in the same run. */
const maxAtOnce = 4;
/** The demo and the states are not part of the contract, and released migrations do not change. */
const omitted = /\/(?:demo|states)\/|storage\/migrations|\/handlers\.js$/;
const [resultFile, activeFile] = ["mutants.json", "active-mutant"].map((name) => join(root, name)) as [string, string];

const folder = join(root, "dist/reference/chat");
const mutants: Mutant[] = [];
for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
  if (name.endsWith(".js") && !omitted.test(`/${name}`))
    mutants.push(...instrument(join(folder, name), root, mutants.length));
const state = mutantsOf(globalThis);
// The check that waits for the response fails.
process.on("uncaughtException", () => {}).on("unhandledRejection", () => {});

const load = <Module>(path: string): Promise<Module> => import(join(root, "dist", path));
const { createChatReference } = await load<typeof Reference>("reference/chat/create-chat-reference.js");
const { chat, verify: verifyContract } = await load<typeof Verify>("src/verify-contract.js");

/** Runs checks on a new server, one after another. Those that ask which operations the server has are not reported. */
async function verify(only: readonly string[], onCheck: (check: CheckResult) => void, signal?: AbortSignal) {
  const { url, statesUrl, close } = await createChatReference({ states: true });
  await verifyContract(chat, `${url}/api/v1`, {
    ...{ statesUrl, only, seed: 1, jobs: 1, degree: "everything", timeoutMs: 5_000, restartWaitMs: 0 },
    ...(signal === undefined ? {} : { signal }),
    onCheck: (check) => {
      if (!check.id.startsWith("presence")) onCheck(check);
    },
  }).finally(() => {
    state.active = -1;
    // A mutant may have taken what closing waits for.
    return Promise.race([close(), sleep(10_000)]);
  });
}

/** The checks that pass on the unchanged server, in their order, with the mutants that each reaches. */
const reached = new Map<string, readonly number[]>();
await verify([], ({ id, outcome }) => {
  if (outcome.kind === "passed") reached.set(id, [...state.seen]);
  state.seen.clear();
});

/** The check that begins each run, without a mutant: before it, the run asks which operations the server has. */
const [opening = ""] = reached.keys();

interface Trial extends Mutant {
  /** The checks that reach it and have not tried it. */
  readonly left: string[];
  tries: number;
  killedBy?: string;
}
const trials: Trial[] = mutants.map((mutant) => ({
  ...{ ...mutant, tries: 0 },
  left: [...reached].flatMap(([check, ids]) => (ids.includes(mutant.id) ? check : [])),
}));
for (const known of existsSync(resultFile) ? (JSON.parse(readFileSync(resultFile, "utf8")) as Trial[]) : [])
  Object.assign(trials[known.id] as Trial, known);
const last = existsSync(activeFile) ? trials[Number(readFileSync(activeFile, "utf8"))] : undefined;
if (last !== undefined) last.killedBy ??= "the end of the process";

/** Gives each check a mutant that it reaches, those first that few checks are left to try. */
function plan(): Map<string, Trial> {
  const planned = new Map<string, Trial>();
  for (const trial of trials.toSorted((a, b) => a.left.length - b.left.length)) {
    if (trial.killedBy !== undefined || trial.tries >= maxTries) continue;
    const free = trial.left.filter((check) => check !== opening && !planned.has(check)).slice(0, maxAtOnce);
    for (const check of free) planned.set(check, trial);
  }
  return planned;
}

/** Runs checks in their order, each with its mutant, until the server stops to respond. Returns those that did not run. */
async function tryAll(planned: ReadonlyMap<string, Trial>, order: readonly string[]): Promise<readonly string[]> {
  const stop = new AbortController();
  let next = 0;
  const onCheck = ({ id, outcome }: CheckResult) => {
    if (stop.signal.aborted) return;
    const trial = planned.get(id);
    if (outcome.kind === "skipped" && outcome.reason.includes("stopped responding")) return stop.abort();
    if (trial !== undefined && state.active === trial.id) {
      trial.tries += 1;
      trial.left.splice(trial.left.indexOf(id), 1);
      if (outcome.kind === "failed" || outcome.kind === "errored") trial.killedBy ??= id;
    }
    next = order.indexOf(id) + 1;
    state.active = planned.get(order[next] ?? "")?.id ?? -1;
    writeFileSync(activeFile, String(state.active));
  };
  await verify([opening, ...order], onCheck, stop.signal).catch(() => {});
  return order.slice(Math.max(next, 1));
}

const triesSoFar = () => trials.reduce((sum, { tries }) => sum + tries, 0);
const until = Date.now() + Number(process.argv[2] ?? 3600) * 1000;
for (let before = -1; Date.now() < until && before !== triesSoFar(); ) {
  before = triesSoFar();
  const planned = plan();
  let order: readonly string[] = [...reached.keys()].filter((check) => planned.has(check));
  while (order.length > 0) order = await tryAll(planned, order);
  writeFileSync(resultFile, `${JSON.stringify(trials, undefined, 1)}\n`);
  rmSync(activeFile, { force: true });
  const killed = trials.filter(({ killedBy }) => killedBy !== undefined).length;
  const open = trials.filter(
    ({ killedBy, left, tries }) => killedBy === undefined && left.length > 0 && tries < maxTries,
  );
  process.stderr.write(`${killed} of ${trials.length} mutants killed, ${open.length} left to try\n`);
}
