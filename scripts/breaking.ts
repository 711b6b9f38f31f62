import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { formatContract } from "../src/contract/chat/contract-file.js";
import { chatChanges } from "./breaking/chat-changes.js";
import { daemonChanges, daemonImage } from "./breaking/daemon-changes.js";
import { verdict } from "./breaking/verdict.js";
import { bundleContract } from "./generate/bundle.js";
import { runScript } from "./run-script.js";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const chatBaseline = file("baseline/openapi.yaml");
const daemonBaseline = file("baseline/daemon.json");

/** Saves the current contracts as those of the last release. */
async function accept(): Promise<void> {
  await writeFile(chatBaseline, formatContract(await bundleContract(), "yaml"));
  await writeFile(daemonBaseline, await daemonImage());
}

// Reports the version bump that the changes since the last release need; fails if package.json has a lower version.
await runScript(
  async (options) => {
    if (options.has("--accept")) return accept();
    const changes = [await chatChanges(chatBaseline, await bundleContract()), await daemonChanges(daemonBaseline)];
    const baseVersion: string = parse(await readFile(chatBaseline, "utf8")).info.version;
    const { version } = JSON.parse(await readFile(file("../package.json"), "utf8"));
    const changelog = await readFile(file("../CHANGELOG.md"), "utf8");
    const { impact, needed, problems } = verdict(changes, baseVersion, version, changelog);
    for (const reason of changes.flatMap(({ reasons }) => reasons)) process.stdout.write(`${reason}\n`);
    process.stdout.write(
      `change since ${baseVersion}: ${impact}${impact === "none" ? "" : `, needs version ${needed} or higher`}\n`,
    );
    if (problems.length > 0) throw new Error(problems.join("\n"));
  },
  ["--accept"],
);
