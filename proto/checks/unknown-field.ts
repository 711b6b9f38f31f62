import { defineRpcCheck } from "../../src/checks.js";

/** In code, because no message of the contract has the field that is sent. */
export const unknownField = defineRpcCheck({
  id: "case preview-with-unknown-field",
  run: async ({ runCase }) => (await runCase({ form: { extended: true } })).conclude(),
});
