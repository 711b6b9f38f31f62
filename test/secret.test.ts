import { format, inspect } from "node:util";
import { expect, it } from "vitest";
import { createSecret } from "../src/secret.js";

it("reveals a secret only on request", () => {
  const secret = createSecret("hunter2");
  const shown = [
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9 }),
    format("%s %o %j", secret, secret, secret),
    Object.values(secret).join(),
  ];
  expect(shown.join()).not.toContain("hunter2");
  expect(secret.reveal()).toBe("hunter2");
});
