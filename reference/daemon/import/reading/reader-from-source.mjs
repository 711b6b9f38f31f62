import { register } from "tsx/esm/api";

// Runs the reader from its sources. A thread does not inherit the loader of TypeScript from the process.
register();
await import("./reader.ts");
