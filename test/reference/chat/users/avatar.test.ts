import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { avatarUrl } from "../../../../reference/chat/users/avatar.js";

describe("avatars", () => {
  let server: ChatReference;
  beforeAll(async () => {
    server = await createChatReference();
  });
  afterAll(() => server.close());

  it("differ by id, whether or not the user exists", async () => {
    const pictures = await Promise.all([1, 2, 999_999].map((id) => fetch(server.url + avatarUrl(id))));
    expect(pictures.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(pictures.map(({ headers }) => headers.get("Content-Type"))).toEqual(Array(3).fill("image/svg+xml"));
    const texts = await Promise.all(pictures.map((picture) => picture.text()));
    expect(new Set(texts).size).toBe(3);
    for (const text of texts)
      expect(text).toMatch(/^<svg xmlns="[^"]+" viewBox="[^"]+"><path fill="hsl\([^"]+\)" d="[^"]*"\/><\/svg>$/);
  });

  it.each(["1", "1.png", "x.svg", "-1.svg", "%31.svg", "../1.svg/", "1.svg/x"])(
    "are not found for %s",
    async (name) => {
      const response = await fetch(`${server.url}/user_avatars/${name}`);
      expect([response.status, await response.json()]).toMatchObject([404, { result: "error", code: "BAD_REQUEST" }]);
    },
  );
});
