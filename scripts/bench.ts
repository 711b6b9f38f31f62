import { benchChatCaches } from "./bench/chat-caches.js";
import { benchChatEventLoop } from "./bench/chat-event-loop.js";
import { benchChatServer } from "./bench/chat-server.js";
import { benchChecks } from "./bench/checks.js";
import { benchClient } from "./bench/client.js";
import { benchDaemon } from "./bench/daemon.js";
import { benchMock } from "./bench/mock.js";
import { benchProxy } from "./bench/proxy.js";
import { benchVerify } from "./bench/verify.js";

// Prints measurements next to those of a named peer from the same run. It never fails because of a result.
// `npm run bench -- chat-server` runs the parts with that prefix.
const [prefix = ""] = process.argv.slice(2);
for (const [title, bench] of [
  ["Checks", benchChecks],
  ["Client", benchClient],
  ["Mock", benchMock],
  ["Proxy", benchProxy],
  ["Chat server", benchChatServer],
  ["Chat caches", benchChatCaches],
  ["Chat event loop", benchChatEventLoop],
  ["Daemon", benchDaemon],
  ["Verify", benchVerify],
] as const) {
  if (!title.toLowerCase().replaceAll(" ", "-").startsWith(prefix.toLowerCase())) continue;
  process.stdout.write(`\n${title}\n`);
  for (const row of await bench()) process.stdout.write(`  ${row}\n`);
}
