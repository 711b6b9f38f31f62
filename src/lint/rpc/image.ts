import { existsSync } from "node:fs";
import { join } from "node:path";
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

/** Finds the RPCs that stream, which Accord does not call. `folder` is where the files are. */
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
          const path = join(folder, file.name);
          return [
            {
              severity: "warning",
              file: existsSync(path) ? path : file.name,
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
