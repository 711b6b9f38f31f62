import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readPackage } from "../../read-package.js";
import { UsageError } from "../../usage-error.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Buf is not installed. The message says how to install it. */
export class BufMissingError extends UsageError {
  override readonly name = "BufMissingError";
}

/** Finds the program of this platform. The script of `@bufbuild/buf` that starts it takes longer than most commands. */
function findProgram(): string {
  for (const base of [import.meta.url, join(process.cwd(), "package.json")]) {
    const require = createRequire(base);
    try {
      const { optionalDependencies }: { readonly optionalDependencies: object } = require("@bufbuild/buf/package.json");
      const own = Object.keys(optionalDependencies).filter((name) => name.includes(process.platform));
      // npm installs only the package for the processor of this machine.
      const paths = own.flatMap((name) => [`${name}/bin/buf`, `${name}/bin/buf.exe`]);
      const found = paths.map((path) => resolved(require, path)).find((path) => path !== undefined);
      if (found !== undefined) return found;
    } catch {
      // It may be installed beside the contract instead.
    }
  }
  const version = readPackage()?.devDependencies?.["@bufbuild/buf"];
  const name = version === undefined ? "@bufbuild/buf" : `@bufbuild/buf@${version}`;
  throw new BufMissingError(
    `Reading .proto files needs Buf, which is not installed. Install it with: npm install --save-dev ${name}; or name a descriptor set (*.binpb) instead of the folder`,
  );
}

function resolved(require: NodeJS.Require, path: string): string | undefined {
  try {
    return require.resolve(path);
  } catch {
    return undefined;
  }
}

/**
 * Runs buf in the root of this package and returns its output. Needs no network. Rejects with buf's findings if it fails, and with a
 * `BufMissingError`.
 */
export async function runBuf(...args: string[]): Promise<Buffer> {
  return runBufIn(root, ...args);
}

/** Like `runBuf`, in another folder. */
export async function runBufIn(folder: string, ...args: string[]): Promise<Buffer> {
  const path = [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter);
  const env = { ...process.env, PATH: path };
  try {
    const options = { cwd: folder, env, encoding: "buffer", maxBuffer: 1 << 28 } as const;
    const { stdout } = await promisify(execFile)(findProgram(), args, options);
    return stdout;
  } catch (error) {
    if (error instanceof BufMissingError) throw error;
    const { stdout = "", stderr = "" } = error as { stdout?: Buffer | string; stderr?: Buffer | string };
    throw new Error(`buf ${args[0] ?? ""} failed:\n${stdout}${stderr}`.trimEnd());
  }
}
