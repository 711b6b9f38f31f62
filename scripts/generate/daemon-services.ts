import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes `contract.ts` into `outDir`, the output folder of buf: every message, enumeration and service of `proto/`, and
 * the services by name. Clients, stubs, mocks and checks read the RPCs from there, so none lists them by hand. Throws
 * if two services have an RPC of the same name, because handlers are named after RPCs, or if not exactly one service is `renamable`.
 */
export function writeServices(outDir: string, renamable: readonly string[]): void {
  const folder = join(outDir, "proxydaemon");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("_pb.ts"))
    .sort();
  const services = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return [...text.matchAll(/^export const (\w+): GenService</gm)].map(([, name = ""]) => ({
      name,
      module: moduleOf(file),
      text,
    }));
  });
  refuseRepeatedNames(services);
  if (renamable.length !== 1 || !services.some(({ name }) => name === renamable[0])) {
    throw new Error("proto/cases: `broken.renamable` must stand in one rule, beside a service of the contract");
  }
  const lines = [
    "// Written by `npm run generate` from the services in proto/. Not to be edited.",
    ...services.map(({ name, module }) => `import { ${name} } from "${module}";`),
    "",
    ...files.map((file) => `export * from "${moduleOf(file)}";`),
    "",
    "/** The services of the contract by name. */",
    `export const services = { ${services.map(({ name }) => name).join(", ")} } as const;`,
    "",
    "/** The service whose name the requirements leave open. */",
    `export const renamableService = ${services.find(({ name }) => name === renamable[0])?.name};`,
    "",
  ];
  writeFileSync(join(outDir, "contract.ts"), lines.join("\n"));
}

function moduleOf(file: string): string {
  return `./proxydaemon/${file.replaceAll("\\", "/").replace(/\.ts$/, ".js")}`;
}

function refuseRepeatedNames(services: readonly { readonly name: string; readonly text: string }[]): void {
  const owners = new Map<string, string>();
  for (const { name, text } of services) {
    const [, body = ""] = new RegExp(`^export const ${name}: GenService<\\{(.*?)^\\}>`, "ms").exec(text) ?? [];
    for (const [, rpc = ""] of body.matchAll(/^ {2}(\w+): \{$/gm)) {
      const other = owners.get(rpc);
      if (other !== undefined) throw new Error(`${other} and ${name} both have an RPC ${rpc}; rename one of them`);
      owners.set(rpc, name);
    }
  }
}
