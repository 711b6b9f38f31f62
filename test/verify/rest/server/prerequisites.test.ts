import { describe, expect, it, onTestFinished } from "vitest";
import { CouldNotRunError } from "../../../../src/base/could-not-run-error.js";
import { chatContract } from "../../../../src/chat/contract.js";
import { requireStates } from "../../../../src/verify/rest/server/prerequisites.js";
import { type Answer, startExampleServer } from "../example-server.js";
import { stubState } from "../stub-chat.js";

async function requireAnswer(answer: Answer): Promise<unknown> {
  const server = await startExampleServer(() => answer);
  onTestFinished(() => server.close());
  return requireStates(server.url, await chatContract(), {}).catch((error: unknown) => error);
}

describe("requireStates", () => {
  it("accepts an organization with all callers", async () => {
    expect(await requireAnswer({ body: stubState({}) })).toMatchObject({ organization: "org-1" });
  });

  it.each<[string, Answer, string]>([
    ["a page", { body: "<!doctype html>", type: "text/html" }, 'the answer is not a JSON object: "<!doctype html>"'],
    ["an error", { status: 404, body: { msg: "No such path" } }, 'status 404, "No such path"'],
    [
      "no callers",
      { body: { organization: "o", credentials: {} } },
      "no credentials of owner, administrator, moderator",
    ],
  ])("rejects %s with one message that says what to do and has a template", async (_, answer, reason) => {
    const error = await requireAnswer(answer);
    expect(error).toBeInstanceOf(CouldNotRunError);
    expect(String(error)).toContain(reason);
    expect(String(error)).toMatch(/Correct the server, or the URL[\s\S]*To POST \/states with [\s\S]*"credentials"/);
  });

  it("gives no template if the server does not answer", async () => {
    const { url, close } = await startExampleServer(() => ({ body: {} }));
    await close();
    const error = await requireStates(url, await chatContract(), {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CouldNotRunError);
    expect(String(error)).toMatch(/does not answer: connect ECONNREFUSED .*\. Correct the server, or the URL[^\n]*$/);
  });
});
