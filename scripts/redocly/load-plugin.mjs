import { tsImport } from "tsx/esm/api";

// Redocly and editors import plugins without a loader for TypeScript, so this file loads the plugin with one of its own.
const { chatPlugin } = await tsImport("./plugin.ts", import.meta.url);

export default chatPlugin;
