/** What asks a command to end: Ctrl+C, a supervisor, and a terminal that is closed. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
