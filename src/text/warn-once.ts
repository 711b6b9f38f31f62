import { visibleLine } from "./visible-text.js";

const said = new Set<string>();

/** Emits a warning of the process, once for each text, which may quote a document. Does nothing in browsers. */
export function warnOnce(text: string): void {
  if (said.has(text)) return;
  said.add(text);
  globalThis.process?.emitWarning?.(visibleLine(text));
}
