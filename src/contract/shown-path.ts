import { relative } from "node:path";

/** The path of a file as findings name it: relative to the working directory, unless it is further away than the folder above. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file).replaceAll("\\", "/");
  return path === "" || path.startsWith("../../") ? file : path;
}
