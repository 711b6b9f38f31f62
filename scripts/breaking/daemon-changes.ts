import { runBuf } from "../../src/contract/rpc/run-buf.js";
import type { Changes } from "./impact.js";

interface Image {
  readonly file: readonly ImageFile[];
}
interface ImageFile {
  readonly name: string;
  readonly service?: readonly { name: string; method?: readonly { name: string }[] }[];
  readonly [key: string]: unknown;
}

/**
 * Compares the `.proto` files in a folder, which has a buf.yaml, with today's by `buf breaking`. Any change except to comments is at least
 * minor.
 */
export async function daemonChanges(released: string): Promise<Changes> {
  const [before, after] = [await buildImage(released), await buildImage(".")];
  const affected = [...new Set(rpcs(before).concat(rpcs(after)))].filter(
    (rpc) => rpcs(before).includes(rpc) !== rpcs(after).includes(rpc),
  );
  const breaking = await breakingFindings(released);
  if (breaking.length > 0) return { impact: "major", affected, reasons: breaking.map((line) => `major: ${line}`) };
  if (JSON.stringify(before) === JSON.stringify(after)) return { impact: "none", affected: [], reasons: [] };
  const sameShape = JSON.stringify(withoutComments(before)) === JSON.stringify(withoutComments(after));
  return sameShape
    ? { impact: "patch", affected, reasons: ["patch: comments of the RPC contract changed"] }
    : { impact: "minor", affected, reasons: ["minor: the RPC contract has additions"] };
}

async function breakingFindings(released: string): Promise<string[]> {
  try {
    await runBuf("breaking", "--against", released);
    return [];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const lines = text.split("\n").filter((line) => /^[^:]*\.proto:|Previously present file/.test(line));
    if (lines.length === 0) throw error;
    return lines;
  }
}

/** Builds our files of a folder as a buf image, including comments. */
async function buildImage(folder: string): Promise<Image> {
  const image: Image = JSON.parse((await runBuf("build", folder, "--output", "-#format=json")).toString("utf8"));
  return { file: image.file.filter(isOurs) };
}

/** Whether a file is part of our contract, unlike those of third parties and those that ship with protobuf. */
function isOurs({ name }: ImageFile): boolean {
  return !/^(?:google|grpc)\//.test(name);
}

function rpcs(image: Image): string[] {
  return image.file.flatMap(({ service = [] }) =>
    service.flatMap(({ name, method = [] }) => method.map((rpc) => `${name}/${rpc.name}`)),
  );
}

function withoutComments(image: Image): object[] {
  return image.file.map(({ sourceCodeInfo: _, ...file }) => file);
}
