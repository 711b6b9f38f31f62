import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { checkHistories } from "./model/histories.js";

const server = await chatServer();

describe("random histories of an organization", () => {
  it("match the model", async () => {
    await checkHistories(server, 80);
    expect.hasAssertions();
  });
});
