import { describe, expect, it } from "vitest";
import { contentRefusal } from "../../../../../reference/chat/messages/edit-message/content-permission.js";

const off = /turned off/;
const notYours = /permission/;
const late = /time limit/;

describe("contentRefusal", () => {
  it.each([
    { allowed: 1, limit: null, isSender: true, ageSeconds: 1e9, refusal: undefined },
    { allowed: 1, limit: 600, isSender: true, ageSeconds: 600, refusal: undefined },
    { allowed: 1, limit: 600, isSender: true, ageSeconds: 601, refusal: late },
    { allowed: 1, limit: 0, isSender: true, ageSeconds: 0, refusal: undefined },
    { allowed: 1, limit: 0, isSender: true, ageSeconds: 1, refusal: late },
    { allowed: 1, limit: null, isSender: false, ageSeconds: 0, refusal: notYours },
    { allowed: 0, limit: null, isSender: true, ageSeconds: 0, refusal: off },
    { allowed: 0, limit: null, isSender: false, ageSeconds: 0, refusal: off },
  ] as const)("allowed $allowed, limit $limit, sender $isSender, age $ageSeconds", (given) => {
    const settings = { allow_message_editing: given.allowed, message_content_edit_limit_seconds: given.limit };
    const refusal = contentRefusal({ settings, isSender: given.isSender, ageSeconds: given.ageSeconds });
    if (given.refusal === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(given.refusal);
  });
});
