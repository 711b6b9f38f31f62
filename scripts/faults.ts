import { readFile, writeFile } from "node:fs/promises";
import type { AllFaultTables } from "../site/pages/tools/fault-tables.js";
import { faults } from "./faults/chat/faults.js";
import { ownDeviations, variations } from "./faults/chat/variations.js";
import { daemonFaults } from "./faults/daemon/faults.js";
import { daemonVariations } from "./faults/daemon/variations.js";
import { formatPage } from "./faults/format-page.js";
import { listVerdicts } from "./faults/list-verdicts.js";
import { measureChat } from "./faults/measure-chat.js";
import { measureDaemon } from "./faults/measure-daemon.js";
import { formatVerdicts, otherThan, remeasured } from "./faults/verdicts.js";
import { runScript } from "./run-script.js";

// Measures which tool catches which fault, and writes scripts/faults/verdicts.json and docs/faults.md. Tools of others take longest, so
// they are run on every twelfth fault and variation.
// `npm run faults -- --others` measures only the tools of others.
// `npm run faults -- <name>...` measures the named faults and those without verdicts; other verdicts stay unchanged, even `unmeasured`.
// `npm run --silent faults -- --verdicts` prints the verdicts of `accord verify` alone as JSON, to compare before and after a change.

const file = new URL("faults/verdicts.json", import.meta.url);
const page = new URL("../docs/faults.md", import.meta.url);

const names = [...faults, ...variations, ...ownDeviations, ...daemonFaults, ...daemonVariations].map(
  ({ name }) => name,
);

await runScript(
  async (options) => {
    if (options.has("--verdicts")) {
      const verdicts = await listVerdicts((line) => process.stderr.write(`${line}\n`));
      process.stdout.write(`${JSON.stringify(verdicts, null, 1)}\n`);
      return;
    }
    const measured: AllFaultTables = JSON.parse(await readFile(file, "utf8"));
    const named = new Set([...options].filter((option) => option !== "--others"));
    const known = named.size > 0 ? otherThan(named) : remeasured({ isOthers: options.has("--others") });
    const daemon = await measureDaemon(known(measured.daemon));
    const chat = await measureChat(known(measured.chat));
    await writeFile(file, formatVerdicts({ chat, daemon }));
    await writeFile(page, formatPage({ chat, daemon }));
  },
  ["--verdicts", "--others", ...names],
);
