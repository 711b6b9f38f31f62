import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CaseFile } from "../../src/contract/rpc/case-files.js";
import type { CaseMessages } from "../../src/contract/rpc/case-problems.js";
import type { RpcCases } from "../../src/contract/rpc/cases.js";
import { describeFiles, readDescriptors } from "../../src/contract/rpc/load-rpc-contract.js";
import { messagesOf, readRpcCases } from "../../src/contract/rpc/read-cases.js";
import type { Problem } from "../../src/contract/yaml-source.js";
import { sourceProblem } from "../source-locators.js";
import { missingParts } from "./daemon-checks.js";

const protoFolder = fileURLToPath(new URL("../../proto", import.meta.url));
/** The folder that holds the case files and their schema. */
const casesFolder = join(protoFolder, "cases");

/**
 * Writes `cases.json` into `outDir`: the rules and cases of `proto/cases`, with every message in canonical ProtoJSON.
 * If there are problems, writes nothing and throws all of them, each with file, line and case.
 */
export function writeDaemonCases({ problems, ...content }: ReadDaemonCases, outDir: string): void {
  if (problems.length > 0) throw new Error(problems.join("\n"));
  mkdirSync(outDir, { recursive: true });
  writeFileSync(join(outDir, "cases.json"), `${JSON.stringify(content, null, 2)}\n`);
}

/** Rules and cases, with their problems. */
export type ReadDaemonCases = RpcCases & { readonly problems: readonly Problem[] };

/** Compiles `proto/`, because generated code may be out of date. */
export async function loadCaseMessages(): Promise<CaseMessages> {
  const { files, registry } = describeFiles(await readDescriptors(protoFolder), "proto");
  // Buf also compiles the definitions of others in `proto/third_party`.
  return messagesOf({ files: files.filter(({ name }) => name.startsWith("proxydaemon/")), registry });
}

/**
 * Reads the rules and cases of a folder, by the strict rules of this project. `loading` saves a caller that reads several folders from
 * compiling `proto/` for each.
 */
export async function readDaemonCases(
  folder: string = casesFolder,
  loading: Promise<CaseMessages> = loadCaseMessages(),
): Promise<ReadDaemonCases> {
  const messages = await loading;
  const strict = { sourceProblem };
  const { content, files, problems } = readRpcCases(folder, messages, { shownAs: "proto/cases", strict });
  return { ...content, problems: [...problems, ...(folder === casesFolder ? partsMissingIn(files, messages) : [])] };
}

/** Tests read incomplete contracts, but `proto/cases` must be complete. */
function partsMissingIn(files: readonly CaseFile[], { methods }: CaseMessages): Problem[] {
  return missingParts(
    files,
    methods.map(({ rpc }) => rpc),
  );
}
