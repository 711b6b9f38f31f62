import { benchChatServer } from "./bench/chat-server.js";
import { benchMock } from "./bench/mock.js";
import { benchProxy } from "./bench/proxy.js";
import { benchVerify } from "./bench/verify.js";

// Prints the figures that the guides quote, each beside that of a named peer from the same run. It never fails because of a result.
// `npm run bench -- chat-server` runs the parts with that prefix.
const [prefix = ""] = process.argv.slice(2);
for (const [name, bench] of Object.entries({
  "chat-server": benchChatServer,
  mock: benchMock,
  proxy: benchProxy,
  verify: benchVerify,
})) {
  if (!name.startsWith(prefix)) continue;
  process.stdout.write(`\n${name}\n`);
  for (const row of await bench()) process.stdout.write(`  ${row}\n`);
}
