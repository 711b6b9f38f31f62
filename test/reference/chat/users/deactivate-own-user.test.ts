import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

const callers = ["owner", "administrator", "moderator", "member", "other", "guest", "bot"];

/** The callers whose credentials still work. */
async function active(setup: ChatSetup): Promise<string[]> {
  const { user_id } = setup.credentials("owner");
  const statuses = await Promise.all(callers.map((caller) => setup.as(caller).getUserStatus({ user_id })));
  return callers.filter((_, index) => statuses[index]?.status === 200);
}

describe("deactivateOwnUser", () => {
  it("counts neither deactivated owners nor bots as owners", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    for (const caller of ["bot", "deactivated"]) {
      await setup.as("owner").updateUserByEmail({ email: setup.credentials(caller).email, role: 100 });
    }
    expect(await setup.as("owner").deactivateOwnUser()).toMatchObject({
      status: 400,
      error: { code: "CANNOT_DEACTIVATE_LAST_USER", entity: "organization owner", is_last_owner: true },
    });
    expect(await active(setup)).toEqual(callers);
  });

  it("refuses the last of two owners", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    await setup.as("owner").updateUserByEmail({ email: setup.credentials("other").email, role: 100 });
    const answers = await Promise.all(["owner", "other"].map((caller) => setup.as(caller).deactivateOwnUser()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
