import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const program = findProgram();

/** Finds the program of this platform. The script of `@bufbuild/buf` that starts it takes longer than most commands. */
function findProgram(): string {
  const { optionalDependencies }: { readonly optionalDependencies: object } = require("@bufbuild/buf/package.json");
  const own = Object.keys(optionalDependencies).filter((name) => name.includes(process.platform));
  for (const path of own.flatMap((name) => [`${name}/bin/buf`, `${name}/bin/buf.exe`])) {
    try {
      return require.resolve(path);
    } catch {
      // npm installs only the package for the processor of this machine.
    }
  }
  throw new Error("buf is not installed for this platform. Run: npm ci");
}

/**
 * Runs buf from node_modules in the root of the checkout and returns its output. Needs no network. Rejects with buf's
 * findings if it fails.
 */
export async function runBuf(...args: string[]): Promise<Buffer> {
  const path = [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter);
  const options = { cwd: root, env: { ...process.env, PATH: path }, encoding: "buffer", maxBuffer: 1 << 26 } as const;
  try {
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: Buffer | string; stderr?: Buffer | string };
    throw new Error(`buf ${args[0] ?? ""} failed:\n${stdout}${stderr}`.trimEnd());
  }
}
