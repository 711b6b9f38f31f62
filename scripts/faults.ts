import { readFile, writeFile } from "node:fs/promises";
import { formatPage } from "./faults/format-page.js";
import { measureChat } from "./faults/measure-chat.js";
import { measureDaemon } from "./faults/measure-daemon.js";
import { readPage, type Verdicts } from "./faults/read-page.js";
import { runScript } from "./run-script.js";

// Switches every fault on before every tool and writes which one has noticed it: docs/faults.md. Takes half an hour.
// `npm run faults -- <name>...` measures these alone, and what has no row yet; the other rows stay as they are.

const file = new URL("../docs/faults.md", import.meta.url);

await runScript(async () => {
  const names = process.argv.slice(2);
  const known = readPage(names.length === 0 ? "" : await readFile(file, "utf8"));
  const others = (verdicts: Verdicts) => new Map([...verdicts].filter(([name]) => !names.includes(name)));
  const daemon = await measureDaemon(others(known.daemon));
  const chat = await measureChat(others(known.chat));
  await writeFile(file, formatPage({ chat, daemon }));
});
