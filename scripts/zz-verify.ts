import { createChatReference } from "/work/wt-relies/reference/chat/create-chat-reference.js";
import { verifyChat } from "/work/wt-relies/src/verify/index.js";
import { judgeRules } from "/work/wt-relies/src/verify/report/judge-rules.js";
for (const level of process.argv.slice(2).map(Number)) {
  const server = await createChatReference({ states: true, featureLevel: level });
  const t = Date.now();
  const report = await verifyChat({ jobs: 2, timeoutMs: 30000, strict: true, seed: 1, url: `${server.url}/api/v1`, statesUrl: server.statesUrl! });
  console.log("LEVEL", level, (Date.now() - t) / 1000, report.checks.length);
  for (const { id, outcome } of report.checks) if (outcome.kind !== "passed") console.log(" ", id, outcome.kind, JSON.stringify((outcome as any).problems ?? (outcome as any).reason)?.slice(0, 400), (outcome as any).broken ?? "");
  console.log("not exercised", judgeRules(report).rules.filter(({ state }) => state === "not-exercised").map(({ id }) => id).join(" "));
  await server.close();
}
