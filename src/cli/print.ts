import { visibleLine, visibleMessage } from "../text/visible-text.js";

/** Prints a line that may quote a document or a server. No part of it controls a terminal, starts another line or is a command to GitHub. */
export function printLine(text: string): void {
  process.stdout.write(`${visibleMessage(visibleLine(text))}\n`);
}

/** Prints a message, of any number of lines, to standard error in the same way. */
export function printMessage(text: string): void {
  process.stderr.write(`${visibleMessage(text)}\n`);
}
