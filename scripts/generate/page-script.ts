import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles the browser code of the HTML report and writes it into `outDir`, which takes the place of `generated/verify`, as a module that
 * exports its text. Reports embed the text in a `<script>` element.
 */
export async function generatePageScript(outDir: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src/report/html/page/main.ts")],
    absWorkingDir: root,
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    // Comments in unminified code would name the source files.
    minify: true,
    charset: "ascii",
    legalComments: "none",
    write: false,
    logLevel: "error",
  });
  const script = (outputFiles[0]?.text ?? "").trimEnd();
  if (/<\/script|<!--/i.test(script))
    throw new Error("The script of the report contains text that would end its element");
  await mkdir(outDir, { recursive: true });
  const lines = [
    "// Written by `npm run generate` from src/report/html/page/. Not to be edited.",
    "",
    "/** The script of the HTML report. */",
    `export const pageScript = ${JSON.stringify(script)};`,
    "",
  ];
  await writeFile(join(outDir, "page-script.ts"), lines.join("\n"));
}
