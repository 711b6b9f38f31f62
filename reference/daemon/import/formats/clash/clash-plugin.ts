import { type Fields, textOf } from "../objects/fields.js";
import { pluginText } from "../objects/plugin-text.js";

/** A plugin of Shadowsocks and its options, which Clash writes as members, in the form of share links. */
export function clashPlugin(plugin: string, options: Fields): string {
  const renamed = plugin === "obfs" ? obfsNames : usualNames;
  const written: string[] = [];
  for (const name of Object.keys(options)) {
    const value = textOf(options, name);
    if (value === "" || value === "false") continue;
    const option = renamed.get(name) ?? name;
    written.push(value === "true" ? escaped(option) : `${escaped(option)}=${escaped(value)}`);
  }
  return pluginText(plugin, written.join(";"));
}

const usualNames: ReadonlyMap<string, string> = new Map();
const obfsNames: ReadonlyMap<string, string> = new Map([
  ["mode", "obfs"],
  ["host", "obfs-host"],
]);

/** See https://shadowsocks.org/doc/sip003.html. */
function escaped(text: string): string {
  return text.replace(/[\\:;=]/g, "\\$&");
}
