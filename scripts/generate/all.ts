import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleContract } from "./bundle.js";
import { generateChat } from "./chat.js";
import { generateDaemon } from "./daemon.js";
import { featureLevelPage } from "./feature-level-page.js";

/** What `generateAll` writes, as paths below its root. */
export const generatedPaths = ["generated/chat", "generated/daemon", "docs/feature-levels.md"] as const;

/** Writes everything that is made from the contracts below `root`. What was there before is removed. Needs no network. */
export async function generateAll(root: string): Promise<void> {
  for (const path of generatedPaths) await rm(join(root, path), { recursive: true, force: true });
  const contract = await bundleContract();
  await mkdir(join(root, "docs"), { recursive: true });
  await writeFile(join(root, "docs/feature-levels.md"), featureLevelPage(contract));
  await Promise.all([
    generateChat(contract, join(root, "generated/chat")),
    generateDaemon(join(root, "generated/daemon")),
  ]);
}
