/**
 * Whether to run what takes minutes: every variation alone and with every check, all checks at old levels, longer searches of property
 * tests. `npm test -- --thorough` sets it, as CI does.
 */
export const isThorough = process.env.ACCORD_THOROUGH === "1";
