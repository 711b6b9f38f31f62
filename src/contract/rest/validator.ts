import type { Validator } from "../../schema/validator.js";

/** Validators of response bodies, by operation and status. */
export type ResponseValidators = Readonly<Record<string, Readonly<Record<string, Validator>>>>;
