import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { MissingPeerError } from "./missing-peer-error.js";

const require = createRequire(import.meta.url);

/** Finds the program of this platform. The script of `@bufbuild/buf` that starts it takes longer than most commands. */
function findProgram(): string {
  const { optionalDependencies }: { readonly optionalDependencies: object } = loadManifest();
  const own = Object.keys(optionalDependencies).filter((name) => name.includes(process.platform));
  for (const path of own.flatMap((name) => [`${name}/bin/buf`, `${name}/bin/buf.exe`])) {
    try {
      return require.resolve(path);
    } catch {
      // npm installs only the package for the processor of this machine.
    }
  }
  throw new MissingPeerError("Protobuf on this platform", "@bufbuild/buf");
}

function loadManifest() {
  try {
    return require("@bufbuild/buf/package.json");
  } catch {
    throw new MissingPeerError("Protobuf", "@bufbuild/buf");
  }
}

/** A run of buf that failed. */
export class BufError extends Error {
  override readonly name = "BufError";
  /** The findings, one in a line, or the reason. */
  readonly output: string;

  constructor(command: string, output: string) {
    super(`buf ${command} failed:\n${output}`.trimEnd());
    this.output = output;
  }
}

/** Options for buf to pass over the packages in a folder that it reads, whose `.proto` files are not the contract's. */
export function withoutPackages(folder: string): string[] {
  const packages = join(folder, "node_modules");
  return existsSync(packages) ? ["--exclude-path", packages] : [];
}

/**
 * Runs buf in a folder and returns its output. Needs no network. Rejects with a `BufError` if it fails, and with a `MissingPeerError` if it
 * is not installed.
 */
export async function runBuf(folder: string, ...args: string[]): Promise<Buffer> {
  const program = findProgram();
  // Plugins, such as protoc-gen-es, are where the package is.
  const bin = join(dirname(require.resolve("@bufbuild/buf/package.json")), "../../.bin");
  const path = [bin, process.env.PATH ?? ""].join(delimiter);
  const options = { cwd: folder, env: { ...process.env, PATH: path }, encoding: "buffer", maxBuffer: 1 << 26 } as const;
  try {
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: Buffer | string; stderr?: Buffer | string };
    throw new BufError(args[0] ?? "", `${stdout}${stderr}`);
  }
}
