import { readFile, writeFile } from "node:fs/promises";
import { formatPage } from "./faults/format-page.js";
import { measureChat } from "./faults/measure-chat.js";
import { measureDaemon } from "./faults/measure-daemon.js";
import { readPage, type Verdicts } from "./faults/read-page.js";
import { runScript } from "./run-script.js";

// Measures which tool catches which fault and writes docs/faults.md. Takes half an hour.
// `npm run faults -- <name>...` measures the named faults and those without a row; the other rows stay unchanged.

const file = new URL("../docs/faults.md", import.meta.url);

await runScript(async () => {
  const names = process.argv.slice(2);
  const known = readPage(names.length === 0 ? "" : await readFile(file, "utf8"));
  const others = (verdicts: Verdicts) => new Map([...verdicts].filter(([name]) => !names.includes(name)));
  const daemon = await measureDaemon(others(known.daemon));
  const chat = await measureChat(others(known.chat));
  await writeFile(file, formatPage({ chat, daemon }));
});
