import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runRedocly } from "../../src/base/run-redocly.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { readConventions } from "./conventions.js";

/**
 * Bundles the REST contract into one document. `api` is an entry of `redocly.yaml` or the path of a root document.
 * Rejects with the bundler's message if a reference has no target or a file is unreadable.
 */
export async function bundleContract(api = "chat"): Promise<ContractDocument> {
  const folder = await mkdtemp(join(tmpdir(), "accord-bundle-"));
  try {
    const file = join(folder, "openapi.json");
    const { ok, stdout, stderr } = await runRedocly("bundle", api, "--output", file);
    if (!ok) throw new Error(`The contract cannot be bundled:\n${stdout}${stderr}`.trimEnd());
    return { ...JSON.parse(await readFile(file, "utf8")), "x-accord": readConventions("chat") };
  } finally {
    await rm(folder, { recursive: true });
  }
}
