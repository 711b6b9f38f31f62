import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { restChanges } from "../src/breaking/rest-changes.js";
import { rpcChanges } from "../src/breaking/rpc-changes.js";
import { lastRelease, readReleasedContract } from "./breaking/released-contract.js";
import { tableChanges } from "./breaking/table-changes.js";
import { verdict } from "./breaking/verdict.js";
import { bundleContract } from "./generate/bundle.js";

/** Reports the version bump that the changes since a release need. Throws if package.json has a lower version. */
async function reportChanges(against: string): Promise<void> {
  const released = await readReleasedContract(against);
  try {
    const base = parse(await readFile(released.openapi, "utf8"));
    const changes = [
      await restChanges(base, await bundleContract(), tableChanges),
      await rpcChanges(released.proto, "."),
    ];
    const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
    const changelog = await readFile(new URL("../CHANGELOG.md", import.meta.url), "utf8");
    const { impact, needed, problems } = verdict(changes, base.info.version, version, changelog);
    for (const reason of changes.flatMap(({ reasons }) => reasons)) process.stdout.write(`${reason}\n`);
    const bump = impact === "none" ? "" : `, needs version ${needed} or higher`;
    process.stdout.write(`change since ${base.info.version} (${against}): ${impact}${bump}\n`);
    if (problems.length > 0) throw new Error(problems.join("\n"));
  } finally {
    await released.remove();
  }
}

// --against takes a Git revision, the folder of a checkout or an unpacked package, or a package file (.tgz). Default: the last release.
try {
  const { values } = parseArgs({ options: { against: { type: "string" } } });
  const against = values.against ?? (await lastRelease());
  if (against === undefined) {
    process.stdout.write("not compared: this clone has no earlier release; git fetch --unshallow --tags brings it\n");
  } else await reportChanges(against);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
