import { randomBytes } from "node:crypto";
import { maxPushTextBytes } from "../../push/push-limits.js";
import type { StateSetups } from "../state-setup.js";

/** Provider states of push devices. */
export const pushStates = {
  "android-token": ({ services, user }, { of = "member", token = `${randomBytes(8).toString("hex")}:APA91b` }) => {
    const { database } = services;
    const insert = database.sql.insertInto("device_token").values({
      user_id: user(of).id,
      kind: "android",
      token,
      app_id: null,
    });
    database.run(insert.onConflict((conflict) => conflict.doNothing()));
    return { token };
  },
  "refused-tokens": () => ({
    token_of_invalid_length: "a".repeat(maxPushTextBytes + 1),
    invalid_ios_token: "zz-not-a-device-token-zz",
  }),
} satisfies Partial<StateSetups>;
