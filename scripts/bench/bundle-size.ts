import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Bytes of a module bundled for the browser, minified and gzipped. */
export interface BundleSize {
  /** The entry and its static imports. */
  readonly initial: number;
  /** Including modules that are loaded lazily. */
  readonly total: number;
}

/** Measures a bundle. `code` is its entry, resolved from the project root. Rejects if the bundle needs a Node built-in. */
export async function bundleSize(code: string): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outdir: "bundle",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const loaded = new Set<string>();
  const follow = (output: string) => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path, kind } of metafile.outputs[output]?.imports ?? []) if (kind === "import-statement") follow(path);
  };
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) if (entryPoint === "<stdin>") follow(output);
  const size = (files: typeof outputFiles) =>
    files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  const initial = outputFiles.filter(({ path }) => [...loaded].some((output) => path.endsWith(output)));
  return { initial: size(initial), total: size(outputFiles) };
}
