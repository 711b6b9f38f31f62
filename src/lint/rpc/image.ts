import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { runBuf, withoutPackages } from "../../base/run-buf.js";
import { shownPath } from "../../contract/shown-path.js";
import { unjudgedFeatures } from "../../contract/unjudged-features.js";
import type { LintFinding } from "../finding.js";

/** The files of a contract as buf writes them: descriptors in JSON. */
export interface Image {
  readonly file: readonly ImageFile[];
}

/** The parts of a file that are read. */
export interface ImageFile {
  readonly name: string;
  readonly package?: string;
  readonly service?: readonly ImageService[];
  readonly sourceCodeInfo?: {
    readonly location?: readonly { readonly path?: readonly number[]; readonly span: readonly number[] }[];
  };
  readonly bufExtension?: { readonly isImport?: boolean };
  readonly [key: string]: unknown;
}

interface ImageService {
  readonly name: string;
  readonly method?: readonly ImageMethod[];
}

interface ImageMethod {
  readonly name: string;
  readonly clientStreaming?: boolean;
  readonly serverStreaming?: boolean;
}

/** Builds the files below a folder, or reads a descriptor set. Rejects with a `BufError` if they do not compile. */
export async function readImage(input: string): Promise<Image> {
  return JSON.parse(
    (
      await runBuf(
        ".",
        "build",
        input,
        ...withoutPackages(input),
        "--error-format",
        "json",
        "--output",
        "-#format=json",
      )
    ).toString("utf8"),
  );
}

/** The numbers that lead to a method in the locations of a file. Source: descriptor.proto, `SourceCodeInfo.Location.path`. */
const [serviceField, methodField] = [6, 2];

/** Finds the RPCs that stream, which Accord does not call. `proto` is the folder or file of the contract. */
export function findStreamingRpcs(image: Image, proto: string): LintFinding[] {
  return ownFiles(image, proto).flatMap((file) =>
    (file.service ?? []).flatMap(({ name, method = [] }, service) =>
      method.flatMap((rpc, index): LintFinding[] => {
        if (!isStreaming(rpc)) return [];
        const at = [serviceField, service, methodField, index].join();
        const span = file.sourceCodeInfo?.location?.find(({ path = [] }) => path.join() === at)?.span;
        const [line, column] = span ?? [];
        return [
          {
            severity: "warning",
            file: isFile(proto) ? file.name : shownPath(join(proto, file.name)),
            line: line === undefined ? undefined : line + 1,
            column: column === undefined ? undefined : column + 1,
            check: "unsupported",
            text: `${unjudgedFeatures.streamingRpcs.says(`${name}/${rpc.name}`)}.`,
          },
        ];
      }),
    ),
  );
}

/** Lists the packages of the contract's own files with services, and its unary RPCs as `Service/Rpc`. */
export function listRpcs(
  image: Image,
  proto: string,
): { readonly packages: readonly string[]; readonly rpcs: readonly string[] } {
  const files = ownFiles(image, proto).filter(({ service = [] }) => service.length > 0);
  return {
    packages: [...new Set(files.map((file) => file.package ?? ""))],
    rpcs: files.flatMap(({ service = [] }) =>
      service.flatMap(({ name, method = [] }) =>
        method.filter((rpc) => !isStreaming(rpc)).map((rpc) => `${name}/${rpc.name}`),
      ),
    ),
  };
}

/** The files of the contract, without those that they import and those of other modules of the workspace. */
function ownFiles({ file }: Image, proto: string): readonly ImageFile[] {
  return isFile(proto)
    ? file.filter(({ bufExtension }) => bufExtension?.isImport !== true)
    : file.filter(({ name }) => existsSync(join(proto, name)));
}

function isFile(path: string): boolean {
  return statSync(path).isFile();
}

function isStreaming({ clientStreaming, serverStreaming }: ImageMethod): boolean {
  return clientStreaming === true || serverStreaming === true;
}
