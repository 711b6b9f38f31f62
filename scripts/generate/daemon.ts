import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runBuf } from "../../src/base/run-buf.js";
import { type ReadDaemonCases, writeDaemonCases } from "./daemon-cases.js";
import { writeServices } from "./daemon-services.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Generates everything that depends on `proto/` into `outDir`, which replaces `generated/daemon`: messages and service
 * descriptors according to `buf.gen.yaml`, `contract.ts`, which collects them, and `cases.json`; and `generated/grpc` beside it. Removes earlier
 * content. Rejects with file, line and reason if the contract or a case is invalid.
 */
export async function generateDaemon(cases: ReadDaemonCases, outDir: string): Promise<void> {
  const template: { plugins: { out: string }[] } = parse(readFileSync(join(root, "buf.gen.yaml"), "utf8"));
  for (const plugin of template.plugins) plugin.out = resolve(outDir);
  await runBuf(root, "generate", "--template", JSON.stringify(template));
  // These definitions belong to no contract.
  await rename(join(outDir, "grpc"), join(dirname(outDir), "grpc"));
  writeServices(outDir);
  writeDaemonCases(cases, outDir);
}
