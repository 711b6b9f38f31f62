import { isObject } from "../base/is-object.js";
import { BufError, runBuf } from "../base/run-buf.js";
import { type Image, type ImageFile, readImage } from "../lint/rpc/image.js";
import { readFindings, withoutPlugins } from "../lint/rpc/lint-proto.js";
import type { Changes } from "./impact.js";

/** What must not break: the messages of running programs, or also the code that is generated from a contract. */
export const rpcLevels = ["wire", "source"] as const;
export type RpcLevel = (typeof rpcLevels)[number];

/** buf's rules for each level. RPCs also travel as JSON. buf counts messages only, but a program that runs also calls RPCs. */
const rulesOf: Readonly<Record<RpcLevel, readonly string[]>> = {
  wire: ["WIRE_JSON", "RPC_NO_DELETE", "PACKAGE_SERVICE_NO_DELETE"],
  source: ["FILE"],
};

/**
 * Compares what buf reads in two folders, or two descriptor sets, by `buf breaking`. Any change except to comments is at least minor. Without a level,
 * `buf.yaml` says which rules count, or else all that source code needs.
 */
export async function rpcChanges(base: string, revision: string, level?: RpcLevel): Promise<Changes> {
  const [before, after] = [ownFiles(await readImage(base)), ownFiles(await readImage(revision))];
  const affected = [...new Set(rpcs(before).concat(rpcs(after)))].filter(
    (rpc) => rpcs(before).includes(rpc) !== rpcs(after).includes(rpc),
  );
  const breaking = await breakingFindings(base, revision, level);
  if (breaking.length > 0) return { impact: "major", affected, reasons: breaking.map((line) => `major: ${line}`) };
  if (JSON.stringify(before) === JSON.stringify(after)) return { impact: "none", affected: [], reasons: [] };
  const [old, now] = [withoutComments(before), withoutComments(after)];
  if (JSON.stringify(old) === JSON.stringify(now))
    return { impact: "patch", affected, reasons: ["patch: comments of the RPC contract changed"] };
  const reason = isIn(old, now)
    ? "the RPC contract has additions"
    : "options or other parts of the RPC contract changed";
  return { impact: "minor", affected, reasons: [`minor: ${reason}`] };
}

async function breakingFindings(base: string, revision: string, level: RpcLevel | undefined): Promise<string[]> {
  try {
    const options = ["--against", base, "--against-config", withoutPlugins(base)[1] ?? "", "--error-format", "json"];
    const rules = level === undefined ? {} : { breaking: { use: rulesOf[level] } };
    await runBuf(".", "breaking", revision, ...withoutPlugins(revision, rules), ...options);
    return [];
  } catch (error) {
    if (!(error instanceof BufError)) throw error;
    return readFindings(error).map(
      ({ file, line, text, check }) => `${file === undefined ? "" : `${file}:${line}: `}${text} (${check})`,
    );
  }
}

/** The files of an image without those of third parties and those that ship with protobuf. */
function ownFiles({ file }: Image): Image {
  return { file: file.filter(isOurs) };
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

/** Whether a value has every member and element of another one; elements with names may stand elsewhere. */
function isIn(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return false;
    const named = (name: unknown) => whole.find((one) => isObject(one) && one.name === name);
    return part.every((one, at) => isIn(one, isObject(one) && "name" in one ? named(one.name) : whole[at]));
  }
  if (!isObject(part)) return part === whole;
  return isObject(whole) && Object.entries(part).every(([key, value]) => isIn(value, whole[key]));
}

function withoutComments(image: Image): object[] {
  return image.file.map(({ sourceCodeInfo: _, ...file }) => file);
}
