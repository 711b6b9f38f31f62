import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { packageFile } from "../../src/base/package-file.js";
import { loadContract, loadWorkflows } from "../../src/chat/contract.js";
import type { Step } from "../../src/contract/check.js";
import { arazzoProfile } from "../../src/contract/rest/profiles/arazzo/arazzo-profile.js";
import { runRespect } from "../redocly/run-respect.js";
import { startFaultProxy } from "./chat/create-fault-proxy.js";
import type { Subject, Tool } from "./tool.js";

/** Redocly's Respect with the workflows that call the operations, which all pass on the unmodified server. */
export async function createStockRespect(): Promise<Tool> {
  const [contract, all] = await Promise.all([loadContract(), loadWorkflows()]);
  const folder = await mkdtemp(join(tmpdir(), "accord-respect-"));
  for (const name of ["openapi.yaml", "states.yaml"])
    await cp(packageFile(`generated/chat/${name}`), join(folder, name));
  let count = 0;
  return {
    name: "Respect",
    report: async ({ behaviour, reference, operations }: Subject) => {
      const calling = all.filter(({ steps }) => steps.some((step) => operations.some((id) => calls(step, id))));
      const own = join(folder, String(count++));
      const files = [...arazzoProfile("chat", contract, calling, newestLevel)];
      for (const [path, text] of files) {
        await mkdir(dirname(join(own, path)), { recursive: true });
        await writeFile(join(own, path), text);
      }
      const documents = files.map(([path]) => join(own, path)).filter((path) => path.endsWith(".arazzo.yaml"));
      if (documents.length === 0) return [];
      const { url, close } = await startFaultProxy(reference.url, behaviour);
      try {
        return (await runRespect(documents, url)).failed;
      } finally {
        await close();
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function calls(step: Step, operation: string): boolean {
  return step.kind === "call" && step.call === operation;
}
