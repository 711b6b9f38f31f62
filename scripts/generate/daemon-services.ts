import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contractModule, type GeneratedService, listServices } from "../../src/generate/rpc-modules.js";

/**
 * Writes `contract.ts` into `outDir`, the output folder of buf: every message, enumeration and service of `proto/`, and
 * the services by name. Clients, stubs, mocks and checks read the RPCs from there, so none lists them by hand. Throws
 * if two services have an RPC of the same name, because handlers are named after RPCs.
 */
export function writeServices(outDir: string): void {
  const paths = readdirSync(join(outDir, "proxydaemon"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("_pb.ts"))
    .map((name) => `proxydaemon/${name.replaceAll("\\", "/")}`)
    .sort();
  const modules = new Map(paths.map((path) => [path, readFileSync(join(outDir, path), "utf8")]));
  const services = listServices(modules);
  refuseRepeatedNames(services);
  const lines = [
    "// Written by `npm run generate` from the services in proto/. Not to be edited.",
    contractModule(modules),
    "",
  ];
  writeFileSync(join(outDir, "contract.ts"), lines.join("\n"));
}

function refuseRepeatedNames(services: readonly GeneratedService[]): void {
  const owners = new Map<string, string>();
  for (const { name, code } of services) {
    const [, body = ""] = new RegExp(`^export const ${name}: GenService<\\{(.*?)^\\}>`, "ms").exec(code) ?? [];
    for (const [, rpc = ""] of body.matchAll(/^ {2}(\w+): \{$/gm)) {
      const other = owners.get(rpc);
      if (other !== undefined) throw new Error(`${other} and ${name} both have an RPC ${rpc}; rename one of them`);
      owners.set(rpc, name);
    }
  }
}
