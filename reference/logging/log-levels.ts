/** Log levels, least verbose first; each includes those before it. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];
