import { existsSync } from "node:fs";
import { join } from "node:path";
import { shownPath } from "../../contract/shown-path.js";
import { runBuf } from "../../run-buf.js";
import type { Finding } from "../finding.js";

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
  readonly method?: readonly {
    readonly name: string;
    readonly clientStreaming?: boolean;
    readonly serverStreaming?: boolean;
  }[];
}

/** Builds the files below a folder, or reads a descriptor set. Rejects with a `BufError` if they do not compile. */
export async function readImage(input: string): Promise<Image> {
  return JSON.parse(
    (await runBuf(".", "build", input, "--error-format", "json", "--output", "-#format=json")).toString("utf8"),
  );
}

/** The numbers that lead to a method in the locations of a file. Source: descriptor.proto, `SourceCodeInfo.Location.path`. */
const [serviceField, methodField] = [6, 2];

/** Finds the RPCs that stream, which Accord does not call. `folder` is where the files of the contract are. */
export function findStreamingRpcs(image: Image, folder: string): Finding[] {
  return image.file
    .filter(({ bufExtension }) => bufExtension?.isImport !== true)
    .flatMap((file) =>
      (file.service ?? []).flatMap(({ name, method = [] }, service) =>
        method.flatMap((rpc, index): Finding[] => {
          if (rpc.clientStreaming !== true && rpc.serverStreaming !== true) return [];
          const at = [serviceField, service, methodField, index].join();
          const span = file.sourceCodeInfo?.location?.find(({ path = [] }) => path.join() === at)?.span;
          const [line, column] = span ?? [];
          return [
            {
              severity: "warning",
              file: shownPath(existsSync(join(folder, file.name)) ? join(folder, file.name) : file.name),
              ...(line === undefined ? {} : { line: line + 1 }),
              ...(column === undefined ? {} : { column: column + 1 }),
              check: "unsupported",
              text: `${name}/${rpc.name} streams. Accord calls only unary RPCs, so nothing judges it.`,
            },
          ];
        }),
      ),
    );
}

/** Lists the packages of the contract's own files, and its unary RPCs as `Service/Rpc`. */
export function listRpcs(image: Image): { readonly packages: readonly string[]; readonly rpcs: readonly string[] } {
  const files = image.file.filter(
    ({ bufExtension, service = [] }) => bufExtension?.isImport !== true && service.length > 0,
  );
  return {
    packages: [...new Set(files.map((file) => file.package ?? ""))],
    rpcs: files.flatMap(({ service = [] }) =>
      service.flatMap(({ name, method = [] }) =>
        method
          .filter(({ clientStreaming, serverStreaming }) => clientStreaming !== true && serverStreaming !== true)
          .map((rpc) => `${name}/${rpc.name}`),
      ),
    ),
  };
}
