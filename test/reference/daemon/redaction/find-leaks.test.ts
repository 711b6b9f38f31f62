import { expect, it } from "vitest";
import { findLeaks } from "./find-leaks.js";
import { urlShapes } from "./url-shapes.js";

const secret = "süß/es Geheimnis";

it.each([
  ["verbatim", secret],
  ["percent-encoded", encodeURIComponent(secret)],
  ["percent-encoded in small letters", encodeURIComponent(secret).toLowerCase()],
  ["percent-encoded twice", encodeURIComponent(encodeURIComponent(secret))],
  ["completely percent-encoded", [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["with plus signs", "s%C3%BC%C3%9F%2Fes+Geheimnis"],
  ["in base64", Buffer.from(secret).toString("base64")],
  ["at the start of base64", Buffer.from(`${secret} and more`).toString("base64")],
  ["in base64url", Buffer.from(secret).toString("base64url")],
  ["in hexadecimal", Buffer.from(secret).toString("hex")],
  ["in hexadecimal capitals", Buffer.from(secret).toString("hex").toUpperCase()],
  ["in JSON", "s\\u00fc\\u00df/es Geheimnis"],
  ["as Latin-1", Buffer.from(secret).toString("latin1")],
])("finds a secret %s", (_, text) => {
  expect(findLeaks(`before ${text} after`, [secret])).toEqual([secret]);
  expect(findLeaks(`before ${text.slice(4)} after`, [secret])).toEqual([]);
});

it("finds a secret with escaped surrogate pairs", () => {
  expect(findLeaks('"\\ud83d\\udd11-4q9JmTz2"', ["🔑-4q9JmTz2"])).toEqual(["🔑-4q9JmTz2"]);
});

it.each(urlShapes)("finds a secret of a URL with this part: $name", ({ at, secrets }) => {
  expect(findLeaks(at("https://h.example"), secrets)).not.toEqual([]);
  expect(findLeaks("https://h.example", secrets)).toEqual([]);
});
