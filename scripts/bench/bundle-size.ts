import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Bytes of a module bundled for the browser, minified and gzipped. `code` is its entry, resolved from the project. */
export async function bundleSize(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}
