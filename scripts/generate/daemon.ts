import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { generateDaemonCases } from "./daemon-cases.js";
import { writeServices } from "./daemon-services.js";
import { runBuf } from "./run-buf.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Writes everything that is made from `proto/` into `outDir`, which takes the place of `generated/daemon`: messages
 * and service descriptors by `buf.gen.yaml`, `contract.ts` with all of them, and `cases.json`. What was there before is removed.
 *
 * Rejects with file, line and reason when the contract or a case is wrong.
 */
export async function generateDaemon(outDir: string): Promise<void> {
  const template: { plugins: { out: string }[] } = parse(readFileSync(join(root, "buf.gen.yaml"), "utf8"));
  for (const plugin of template.plugins) plugin.out = resolve(outDir);
  await runBuf("generate", "--template", JSON.stringify(template));
  writeServices(outDir);
  await generateDaemonCases(outDir);
}
