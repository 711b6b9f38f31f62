import { get } from "node:http";
import { inspect } from "node:util";
import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { DaemonFault, DaemonFaultRow } from "../fault.js";

/** A fault that fetches by itself and quotes the result in the error message. */
function quoting(
  name: string,
  summary: string,
  show: (url: string) => Promise<string>,
  { rule, checkedBy }: { rule: string; checkedBy: string },
): DaemonFaultRow {
  const always = ["redaction.message", "redaction.every-cause", "redaction.user-interface"];
  return fault(name, summary)
    .breaks(rule, ...(rule === "redaction.before-fetching" ? [] : always))
    .checkedBy(`case ${checkedBy}`)
    .quotesInstead(show);
}

/** Secrets in the response of the host or in errors of the HTTP client. */
export const answerRedactionFaults: readonly DaemonFault[] = ofFamily("redaction in messages", [
  quoting("redirect-target", "quotes the target of a redirect", quoteLocation, {
    rule: "redaction.query-value",
    checkedBy: "redact-query-value-in-redirect",
  }),
  quoting("broken-redirect-target", "quotes the invalid target of a redirect", quoteLocation, {
    rule: "redaction.query-value",
    checkedBy: "redact-broken-redirect",
  }),
  quoting("broken-redirect-cause", "passes on the error of Node's fetch after an invalid redirect", libraryError, {
    rule: "redaction.query-value",
    checkedBy: "redact-broken-redirect",
  }),
  quoting("non-http-response", "quotes a response that is not HTTP", quoteRawAnswer, {
    rule: "redaction.query-value",
    checkedBy: "redact-not-http",
  }),
  quoting("error-page", "quotes the error page of the host", async (url) => (await fetch(url)).text(), {
    rule: "redaction.path",
    checkedBy: "redact-path-in-error-page",
  }),
  quoting("library-error", "passes on the error of Node's fetch, which quotes URLs with a password", libraryError, {
    rule: "redaction.password",
    checkedBy: "redact-password",
  }),
  quoting("library-cause", "passes on the error of Node's fetch, whose cause quotes invalid URLs", libraryError, {
    rule: "redaction.before-fetching",
    checkedBy: "redact-unreadable-url",
  }),
]);

async function quoteLocation(url: string): Promise<string> {
  const { headers } = await fetch(url, { redirect: "manual" });
  return `redirected to ${headers.get("location")}`;
}

function quoteRawAnswer(url: string): Promise<string> {
  return new Promise((done) => {
    const asked = get(url, (response) => done(String(response.statusCode)));
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
