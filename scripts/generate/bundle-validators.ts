import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles a module that needs no package: `entry`, which imports the standalone code of Ajv in `source` as
 * `validators`.
 */
export async function bundleValidators(source: string, entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    // Unminified code would contain the installation paths of packages.
    minify: true,
    legalComments: "none",
    banner: { js: "// Written by `npm run generate`. Not to be edited." },
    write: false,
    logLevel: "error",
    plugins: [
      {
        name: "validators",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^validators$/ }, ({ path }) => ({ path, namespace: "validators" }));
          onLoad({ filter: /.*/, namespace: "validators" }, () => ({
            contents: source,
            resolveDir: root,
            loader: "js",
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}
