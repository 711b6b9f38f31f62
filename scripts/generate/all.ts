import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleContract } from "./bundle.js";
import { generateChat } from "./chat.js";
import { generateDaemon } from "./daemon.js";
import { featureLevelPage } from "./feature-level-page.js";

/** What is generated, as paths below the root of the project. */
export const generatedPaths = ["generated/chat", "generated/daemon", "docs/feature-levels.md"] as const;

/**
 * Makes everything that is made from the contracts, from scratch, and hands the temporary folder that holds it to `use`.
 * Needs no network. Rejects, with nothing handed over, when a contract is broken.
 */
export async function withGenerated<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "accord-generate-"));
  try {
    const contract = await bundleContract();
    await mkdir(join(folder, "docs"));
    await writeFile(join(folder, "docs/feature-levels.md"), featureLevelPage(contract));
    await Promise.all([
      generateChat(contract, join(folder, "generated/chat")),
      generateDaemon(join(folder, "generated/daemon")),
    ]);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes everything that is made from the contracts below `root`. What was there before is removed once all is made. */
export async function generateAll(root: string): Promise<void> {
  await withGenerated(async (folder) => {
    for (const path of generatedPaths) {
      await rm(join(root, path), { recursive: true, force: true });
      await cp(join(folder, path), join(root, path), { recursive: true });
    }
  });
}
