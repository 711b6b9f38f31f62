import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settleAll } from "../settle-all.js";
import { bundleContract } from "./bundle.js";
import { readDaemonCases } from "./daemon-cases.js";
import { generatedPaths } from "./generated-paths.js";
import { hashSources, rememberResult } from "./generation-cache.js";

/**
 * Generates everything from scratch, from the contracts and the browser code of the HTML report, and passes the temporary folder with the
 * result to `use`. Needs no network. Rejects, without calling `use`, if a contract is broken.
 */
export async function withGenerated<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "accord-generate-"));
  try {
    for (const path of ["docs", "generated/guides"]) await mkdir(join(folder, path), { recursive: true });
    // The contracts are bundled and compiled by other processes. Loading the generators takes as long.
    const [
      contract,
      daemon,
      { generateChat },
      { generateDaemon },
      { generateGuides },
      { generatePageScript },
      { expandWorkflows },
    ] = await Promise.all([
      bundleContract(),
      readDaemonCases(),
      import("./chat.js"),
      import("./daemon.js"),
      import("./guide-pages.js"),
      import("./page-script.js"),
      import("../../src/behaviour/expand-workflows.js"),
    ]);
    const generateRest = async () => {
      const workflows = expandWorkflows(contract, "openapi/behaviour");
      await generateGuides({ contract, workflows, daemon }, folder);
      await generateChat(contract, workflows, join(folder, "generated/chat"));
    };
    await settleAll([
      generateDaemon(daemon, join(folder, "generated/daemon")),
      generatePageScript(join(folder, "generated/verify")),
      generateRest(),
    ]);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Generates everything below `root`. Replaces the earlier files once all of the new ones exist. */
export async function generateAll(root: string): Promise<void> {
  const sources = await hashSources(root);
  await withGenerated(async (folder) => {
    for (const path of generatedPaths) {
      await rm(join(root, path), { recursive: true, force: true });
      await cp(join(folder, path), join(root, path), { recursive: true });
    }
  });
  await rememberResult(root, sources);
}
