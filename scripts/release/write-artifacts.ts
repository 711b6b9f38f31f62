import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { loadContract } from "../../src/chat/contract.js";
import { writeArazzo } from "../../src/cli/commands/spec.js";
import { formatContract } from "../../src/contract/rest/contract-file.js";
import { levelsOfChange } from "../../src/contract/rest/features.js";
import { atFeatureLevel } from "../../src/contract/rest/level/at-feature-level.js";
import { tidyContract } from "../../src/contract/rest/level/tidy-contract.js";
import { descriptorSetBytes } from "../../src/contract/rpc/descriptor-set.js";
import { loadDaemonContract } from "../../src/daemon/daemon-contract.js";
import { jsonReportSchema } from "../../src/report/model/json-report.js";

const run = promisify(execFile);

/**
 * Writes the files of a release into `folder`, which it replaces: the package, both contracts, the chat contract of each feature level at
 * which it changes, the workflows, the JSON Schema of reports, and a software bill of materials (CycloneDX). Resolves to the path of the
 * package.
 */
export async function writeArtifacts(root: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const packed = await run("npm", ["run", "--silent", "pack", "--", "--destination", folder], { cwd: root });
  const contract = await loadContract();
  await writeFile(join(folder, "openapi.yaml"), formatContract(contract, "yaml"));
  for (const level of levelsOfChange(contract)) {
    const text = formatContract(tidyContract(atFeatureLevel(contract, level)), "yaml");
    await writeFile(join(folder, `openapi-level-${level}.yaml`), text);
  }
  const workflows = join(folder, "workflows");
  await writeArazzo(newestLevel, workflows);
  await run("tar", ["-czf", `${workflows}.tar.gz`, "-C", workflows, "."]);
  await rm(workflows, { recursive: true });
  await writeFile(join(folder, "daemon.binpb"), descriptorSetBytes(await loadDaemonContract()));
  await writeFile(join(folder, "report.schema.json"), `${JSON.stringify(jsonReportSchema, undefined, 2)}\n`);
  const bom = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library", "--omit", "dev", "--package-lock-only"];
  const { stdout } = await run("npm", bom, { cwd: root, maxBuffer: 1 << 26 });
  await writeFile(join(folder, "sbom.cdx.json"), stdout);
  return packed.stdout.trim();
}
