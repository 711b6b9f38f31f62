import { readFile, writeFile } from "node:fs/promises";
import { faults } from "./faults/chat/faults.js";
import { ownDeviations, variations } from "./faults/chat/variations.js";
import { daemonFaults } from "./faults/daemon/faults.js";
import { daemonVariations } from "./faults/daemon/variations.js";
import { formatPage } from "./faults/format-page.js";
import { listVerdicts } from "./faults/list-verdicts.js";
import { measureChat } from "./faults/measure-chat.js";
import { measureDaemon } from "./faults/measure-daemon.js";
import { readPage, type Verdicts } from "./faults/read-page.js";
import { runScript } from "./run-script.js";

// Measures which tool catches which fault and writes docs/faults.md. Takes half an hour.
// `npm run faults -- <name>...` measures the named faults and those without a row; the other rows stay unchanged, even unmeasured ones.
// `npm run --silent faults -- --verdicts` prints the verdicts of `accord verify` alone as JSON, to compare before and after a change.

const file = new URL("../docs/faults.md", import.meta.url);

const known = [...faults, ...variations, ...ownDeviations, ...daemonFaults, ...daemonVariations].map(
  ({ name }) => name,
);

await runScript(
  async (options) => {
    if (options.has("--verdicts")) {
      const verdicts = await listVerdicts((line) => process.stderr.write(`${line}\n`));
      process.stdout.write(`${JSON.stringify(verdicts, null, 1)}\n`);
      return;
    }
    const names = [...options];
    const page = readPage(names.length === 0 ? "" : await readFile(file, "utf8"));
    const others = (verdicts: Verdicts) => new Map([...verdicts].filter(([name]) => !names.includes(name)));
    const daemon = await measureDaemon(others(page.daemon));
    const chat = await measureChat(others(page.chat));
    await writeFile(file, formatPage({ chat, daemon }));
  },
  ["--verdicts", ...known],
);
