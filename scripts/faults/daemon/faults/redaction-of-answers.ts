import { get } from "node:http";
import { inspect } from "node:util";
import { saysInstead } from "../failing.js";
import type { DaemonFault } from "../fault.js";

/** Fetches by itself, and shows in the message of the error what has come. */
function fault(
  name: string,
  summary: string,
  show: (url: string) => Promise<string>,
  { rule, looksAt }: { rule: string; looksAt: string },
): DaemonFault {
  return {
    name,
    family: "redaction in messages",
    summary,
    breaks: [rule, "redaction.message", "redaction.every-cause", "redaction.user-interface"],
    looksAt: [`case ${looksAt}`],
    behaviour: saysInstead(show),
  };
}

/** Secrets that come back from the host, or from the library that fetches. */
export const answerRedactionFaults: readonly DaemonFault[] = [
  fault("redirect-target", "quotes the target of a redirect", quoteLocation, {
    rule: "redaction.path",
    looksAt: "redact-redirect",
  }),
  fault("broken-redirect-target", "quotes the invalid target of a redirect", quoteLocation, {
    rule: "redaction.query-value",
    looksAt: "redact-broken-redirect",
  }),
  fault("broken-redirect-cause", "passes on the error of Node's fetch after an invalid redirect", libraryError, {
    rule: "redaction.query-value",
    looksAt: "redact-broken-redirect",
  }),
  fault("not-http-answer", "quotes a response that is not HTTP", quoteRawAnswer, {
    rule: "redaction.path",
    looksAt: "redact-not-http",
  }),
  fault("error-page", "quotes the error page of the host", async (url) => (await fetch(url)).text(), {
    rule: "redaction.path",
    looksAt: "redact-path-in-error-page",
  }),
  fault("library-error", "passes on the error of Node's fetch, which quotes URLs with a password", libraryError, {
    rule: "redaction.password",
    looksAt: "redact-password",
  }),
  fault("library-cause", "passes on the error of Node's fetch, whose cause quotes invalid URLs", libraryError, {
    rule: "redaction.path",
    looksAt: "redact-unreadable-url",
  }),
];

async function quoteLocation(url: string): Promise<string> {
  const { headers } = await fetch(url, { redirect: "manual" });
  return `redirected to ${headers.get("location")}`;
}

function quoteRawAnswer(url: string): Promise<string> {
  return new Promise((done) => {
    const asked = get(url, (answer) => done(String(answer.statusCode)));
    asked.once("error", (error) => done("rawPacket" in error ? String(error.rawPacket) : error.message));
  });
}

async function libraryError(url: string): Promise<string> {
  try {
    return String((await fetch(url)).status);
  } catch (error) {
    return inspect(error);
  }
}
