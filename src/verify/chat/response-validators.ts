import type { Validator } from "../../../generated/chat/validators.js";

/** Checks of response bodies, by operation and status. */
export type ResponseValidators = Readonly<Record<string, Readonly<Record<string, Validator>>>>;
