import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBuf } from "../generate/run-buf.js";
import type { Changes } from "./impact.js";

interface Image {
  readonly file: readonly ImageFile[];
}
interface ImageFile {
  readonly name: string;
  readonly service?: readonly { name: string; method?: readonly { name: string }[] }[];
  readonly [key: string]: unknown;
}

/** Builds the RPC contract as a buf image in JSON, including comments. */
export async function daemonImage(): Promise<string> {
  const image = await completeImage();
  return `${JSON.stringify({ ...image, file: image.file.filter(isOurs) }, null, 1)}\n`;
}

/** Compares two images of the RPC contract with `buf breaking`. Any change except to comments is at least minor. */
export async function daemonChanges(baselineFile: string): Promise<Changes> {
  const [before, after]: Image[] = [JSON.parse(await readFile(baselineFile, "utf8")), JSON.parse(await daemonImage())];
  const affected = [...new Set(rpcs(before).concat(rpcs(after)))].filter(
    (rpc) => rpcs(before).includes(rpc) !== rpcs(after).includes(rpc),
  );
  const breaking = await breakingFindings(baselineFile);
  if (breaking.length > 0) return { impact: "major", affected, reasons: breaking.map((line) => `major: ${line}`) };
  if (JSON.stringify(before) === JSON.stringify(after)) return { impact: "none", affected: [], reasons: [] };
  const sameShape = JSON.stringify(withoutComments(before)) === JSON.stringify(withoutComments(after));
  return sameShape
    ? { impact: "patch", affected, reasons: ["patch: comments of the RPC contract changed"] }
    : { impact: "minor", affected, reasons: ["minor: the RPC contract has additions"] };
}

async function breakingFindings(baselineFile: string): Promise<string[]> {
  const temporary = await mkdtemp(join(tmpdir(), "accord-buf-"));
  try {
    const current = await completeImage();
    const baseline: Image = JSON.parse(await readFile(baselineFile, "utf8"));
    // The baseline has only our files. Buf also needs the files that they import, which come from the current image.
    const complete = { ...baseline, file: [...current.file.filter((file) => !isOurs(file)), ...baseline.file] };
    const [image, against] = [join(temporary, "current.json"), join(temporary, "baseline.json")];
    await writeFile(image, JSON.stringify(current));
    await writeFile(against, JSON.stringify(complete));
    await runBuf("breaking", image, "--against", against);
    return [];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const lines = text.split("\n").filter((line) => line.includes(".proto:"));
    if (lines.length === 0) throw error;
    return lines.map((line) => `proto/${line}`);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function completeImage(): Promise<Image> {
  return JSON.parse((await runBuf("build", "--output", "-#format=json")).toString("utf8"));
}

/** Whether a file is part of our contract, unlike those of third parties and those that ship with protobuf. */
function isOurs({ name }: ImageFile): boolean {
  return name.startsWith("proxydaemon/");
}

function rpcs(image: Image | undefined): string[] {
  return (image?.file ?? []).flatMap(({ service = [] }) =>
    service.flatMap(({ name, method = [] }) => method.map((rpc) => `${name}/${rpc.name}`)),
  );
}

function withoutComments(image: Image | undefined): object[] {
  return (image?.file ?? []).map(({ sourceCodeInfo: _, ...file }) => file);
}
