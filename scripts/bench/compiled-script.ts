import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "esbuild";

const folder = new URL("../../node_modules/.cache/accord-bench/", import.meta.url);
const built = new URL("../../dist/", import.meta.url);

/**
 * Compiles a script of this folder so that it uses the built package, because running from source slows down each call. Returns the path
 * of the compiled script.
 */
export function compiledScript(name: string): string {
  const source = readFileSync(new URL(name, import.meta.url), "utf8");
  const { code } = transformSync(source, { loader: "ts", format: "esm", target: "node20" });
  mkdirSync(folder, { recursive: true });
  const path = fileURLToPath(new URL(name.replace(/\.ts$/, ".mjs"), folder));
  writeFileSync(path, code.replaceAll('"../../', `"${pathToFileURL(fileURLToPath(built)).href}`));
  return path;
}
