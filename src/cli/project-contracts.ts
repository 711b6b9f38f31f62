import { existsSync } from "node:fs";
import { Option } from "commander";
import { UsageError } from "../base/usage-error.js";
import { type ProjectContract, projectFileName } from "../contract/project/project.js";
import { importOptional } from "./import-optional.js";

/** `--project`: which `accord.yaml` lists the contracts. */
export function projectOption(): Option {
  return new Option("--project <file>", "the accord.yaml that lists the contract (default: that of this folder)");
}

/** Finds a contract that a command names, or all contracts of the project without a name. Rejects with a `UsageError` that names mistakes. */
export async function projectContracts(
  name: string | undefined,
  project?: string,
): Promise<readonly ProjectContract[]> {
  const { findContract, ProjectError, readProject } = await importOptional(
    "accord.yaml",
    () => import("../contract/project/read-project.js"),
  );
  try {
    if (name !== undefined) return [findContract(name, project)];
    const file = project ?? projectFileName;
    if (project === undefined && !existsSync(file))
      throw new UsageError(
        `This folder has no ${projectFileName}: write it with \`npx --no-install accord init\`, or name a contract.`,
      );
    return readProject(file).contracts;
  } catch (error) {
    throw error instanceof ProjectError ? new UsageError(error.message) : error;
  }
}
