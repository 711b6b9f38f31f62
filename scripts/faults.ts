import { derivedFaults } from "./faults/chat/derived.js";
import { faults } from "./faults/chat/faults.js";
import { daemonFaults } from "./faults/daemon/faults.js";
import { daemonVariations } from "./faults/daemon/variations.js";
import { listVerdicts } from "./faults/list-verdicts.js";
import { runScript } from "./run-script.js";

// Prints, as JSON, the rules that `accord verify` reports for each fault and variation. To see whether a change of the verifier changes a
// verdict, compare the output before and after.
// `npm run --silent faults -- <name>...` verifies only these faults, and variations of the daemon; derived faults only if they are named.

const names = [...faults, ...(await derivedFaults()), ...daemonFaults, ...daemonVariations].map(({ name }) => name);

await runScript(async (options) => {
  const verdicts = await listVerdicts(options, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${JSON.stringify(verdicts, null, 1)}\n`);
}, names);
