import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { timed } from "./measure.js";

const run = promisify(execFile);

/** Wall-clock time of the maintainers' commands. */
export async function benchTools(): Promise<string[]> {
  const rows: string[] = [];
  for (const script of ["generate", "lint"]) {
    const { milliseconds } = await timed(() =>
      run(process.execPath, ["--import", "tsx", `scripts/${script}.ts`], { maxBuffer: 1 << 26 }),
    );
    rows.push(`npm run ${script.padEnd(12)} ${(milliseconds / 1000).toFixed(1)} s`);
  }
  return rows;
}
