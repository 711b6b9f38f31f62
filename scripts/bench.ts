import { benchClient } from "./bench/client.js";
import { benchMock } from "./bench/mock.js";
import { benchTools } from "./bench/tools.js";

// Prints measurements beside those of a named peer in the same run. Nothing here passes or fails.
for (const [title, bench] of [
  ["Tools", benchTools],
  ["Client", benchClient],
  ["Mock", benchMock],
] as const) {
  process.stdout.write(`\n${title}\n`);
  for (const row of await bench()) process.stdout.write(`  ${row}\n`);
}
