import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { fillDemo } from "../../../../reference/chat/demo/fill-demo.js";
import { chatContract } from "../../../../src/chat/contract.js";
import { createChatClient } from "../../../../src/chat/index.js";
import { toJsonReport } from "../../../../src/report/model/to-json-report.js";
import { createSecret } from "../../../../src/secrets/secret.js";
import { verifyRest } from "../../../../src/verify/rest/verify-rest.js";
import { executeSql } from "../../../support/execute-sql.js";
import { needing } from "../../../support/needing.js";
import { temporaryFolder } from "../../../support/reference-process.js";
import { storedUploads } from "../../../support/stored-uploads.js";

const run = promisify(execFile);

/** The lines to paste into a shell. */
function requestsOf(text: string): string[] {
  return text.split("\n").filter((line) => /^(?:curl|echo) /.test(line));
}

function credentialsOf(text: string): { email: string; apiKey: string }[] {
  return [...text.matchAll(/^ {2}(\S+@\S+) +(\S{32}) /gm)].map(([, email = "", apiKey = ""]) => ({ email, apiKey }));
}

describe("fillDemo", () => {
  needing("curl").it.each([415, 300, 0])("prints requests that work when pasted, at level %i", async (featureLevel) => {
    const server = await createChatReference({ featureLevel, validateResponses: true });
    try {
      const requests = requestsOf(await fillDemo(server.services, server.url));
      expect(requests).toHaveLength(4);
      for (const request of requests) {
        const { stdout } = await run("sh", ["-c", request]);
        expect([request, JSON.parse(stdout)]).toEqual([request, expect.objectContaining({ result: "success" })]);
      }
    } finally {
      await server.close();
    }
  });

  it("has an organization in which an account alone shows a fifth of the rules about reading messages", async () => {
    const server = await createChatReference();
    try {
      const [, { email, apiKey } = { email: "", apiKey: "" }] = credentialsOf(
        await fillDemo(server.services, server.url),
      );
      const accounts = { member: { name: email, secret: createSecret(apiKey) } };
      const only = ["workflow reading-*"];
      const run = await verifyRest(await chatContract(), { url: `${server.url}/api/v1`, accounts, only });
      const { rules } = toJsonReport(run);
      const ofReading = rules.filter(({ id }) => id.startsWith("messages.get."));
      expect(ofReading.filter(({ state }) => state === "broken" || state === "deviating")).toEqual([]);
      expect(ofReading.filter(({ state }) => state === "kept").length).toBeGreaterThanOrEqual(21);
    } finally {
      await server.close();
    }
  });

  it("creates an edited and a moved message, reactions and an upload that others can open", async () => {
    const server = await createChatReference({ validateResponses: true });
    try {
      const [, member] = credentialsOf(await fillDemo(server.services, server.url));
      const chat = createChatClient({ baseUrl: server.url, ...member });
      const page = await chat.getMessages({ anchor: "oldest", num_before: 0, num_after: 100 });
      if (!page.ok) throw new Error(page.error.msg);
      const { messages } = page.data;
      const edits = messages.flatMap(({ edit_history: history = [] }) => history);
      expect(edits.some(({ prev_content }) => prev_content !== undefined)).toBe(true);
      expect(edits.some(({ prev_stream }) => prev_stream !== undefined)).toBe(true);
      expect(messages.some(({ reactions }) => reactions.length > 1)).toBe(true);
      const all = messages.map(({ content }) => content).join("\n");
      for (const part of ["user-mention", "user-group-mention", "<code", "https://shakespeare.example/hamlet/3/2"]) {
        expect(all).toContain(part);
      }
      // Private channels of others stay hidden.
      expect(messages.some(({ display_recipient }) => display_recipient === "directors")).toBe(false);
      const [, path] = /href="(\/user_uploads\/[^"]+)"/.exec(all) ?? [];
      const headers = { Authorization: `Basic ${btoa(`${member?.email}:${member?.apiKey}`)}` };
      const upload = await fetch(server.url + path, { headers });
      expect([upload.status, await upload.text()]).toEqual([200, expect.stringContaining("Enter the players")]);
    } finally {
      await server.close();
    }
  });

  it("rolls back completely if it fails, so that the next attempt succeeds", async () => {
    const server = await createChatReference();
    try {
      const { database } = server.services;
      const rows = async (table: "realm" | "attachment" | "message") =>
        await database.selectFrom(table).select("id").execute();
      await executeSql(
        database,
        "create trigger full before insert on reaction begin select raise(abort, 'full'); end",
      );
      await expect(fillDemo(server.services, server.url)).rejects.toThrow("full");
      expect([await rows("realm"), await rows("attachment"), await storedUploads(server)]).toEqual([[], [], []]);
      await executeSql(database, "drop trigger full");
      expect(await fillDemo(server.services, server.url)).toMatch(/Created the organization/);
      expect((await rows("message")).length).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  });

  it("fills a data folder once, and prints new keys afterwards", async () => {
    using folder = temporaryFolder();
    const start = async () => {
      const server = await createChatReference({ dataFolder: folder.path });
      const text = await fillDemo(server.services, server.url);
      const { database } = server.services;
      const { messages } = (await database
        .selectFrom("message")
        .select(({ fn }) => fn.countAll<number>().as("messages"))
        .executeTakeFirst()) ?? { messages: 0 };
      const statuses = async (credentials: { email: string; apiKey: string }[]) =>
        Promise.all(
          credentials.map(async (one) => {
            const chat = createChatClient({ baseUrl: server.url, ...one });
            return (await chat.getMessages({ anchor: "newest", num_before: 1, num_after: 0 })).status;
          }),
        );
      return { server, text, messages, statuses };
    };
    const first = await start();
    await first.server.close();
    const second = await start();
    try {
      expect(second.messages).toBe(first.messages);
      expect(second.text).toMatch(/exists already. New API keys/);
      expect(requestsOf(second.text)).toHaveLength(4);
      expect(await second.statuses(credentialsOf(second.text))).toEqual([200, 200]);
      expect(await second.statuses(credentialsOf(first.text))).toEqual([401, 401]);
    } finally {
      await second.server.close();
    }
  });
});
