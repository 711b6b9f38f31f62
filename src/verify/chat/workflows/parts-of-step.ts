import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { workflowFolder } from "../../../contract/read-workflows.js";
import type { HttpPart } from "../curl-line.js";
import { type StepOfRun, textOf } from "./evaluate.js";

/** The parts of the multipart body of a step, of which `respect` reports none. A value that is not known is left out. */
export async function partsOfStep(run: StepOfRun): Promise<readonly HttpPart[]> {
  const source = run.workflow.steps.find(({ stepId }) => stepId === run.step.stepId);
  const parts = Object.entries(source?.requestBody?.payload ?? {}).map(async ([name, given]): Promise<HttpPart[]> => {
    const [, path] = /^\$file\('(.+)'\)$/.exec(String(given)) ?? [];
    if (path !== undefined) return [[name, await fileOf(join(workflowFolder, path))]];
    const value = textOf(given, run);
    return value === undefined ? [] : [[name, value]];
  });
  return (await Promise.all(parts)).flat();
}

/** A file as `respect` sends it: `FormData` has this type for one that says none. */
async function fileOf(path: string): Promise<File> {
  return new File([new Uint8Array(await readFile(path))], basename(path), { type: "application/octet-stream" });
}
