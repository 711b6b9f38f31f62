import type { Entry } from "../entry.js";
import { finishDraft, pluginText, readObjects } from "./draft.js";
import { type Fields, isFields, textOf } from "./fields.js";

/**
 * Reads SIP008 (https://shadowsocks.org/doc/sip008.html): a JSON object with `version` and `servers`. `version` may be
 * missing, and the list of servers may stand alone. Undefined for any other document.
 */
export function readSip008(document: unknown): Iterable<Entry> | undefined {
  const servers = isFields(document) ? document.servers : document;
  if (!Array.isArray(servers)) return undefined;
  const isSip008 = (isFields(document) && document.version !== undefined) || servers.some(isServer);
  return isSip008 ? readObjects(servers, readServer) : undefined;
}

function isServer(value: unknown): boolean {
  return isFields(value) && textOf(value, "server") !== "" && textOf(value, "method") !== "";
}

/** Reads a server of SIP008. Servers have no type, so a rejected one has no scheme. */
function readServer(server: Fields): Entry {
  const result = finishDraft({
    protocol: "shadowsocks",
    name: textOf(server, "remarks"),
    server: textOf(server, "server"),
    port: textOf(server, "server_port"),
    transport: "tcp",
    security: "none",
    checksCertificate: true,
    settings: {
      method: textOf(server, "method"),
      password: textOf(server, "password"),
      plugin: pluginText(textOf(server, "plugin"), textOf(server, "plugin_opts")),
    },
  });
  return typeof result === "string" ? { kind: "rejected", scheme: "", reason: result } : { kind: "node", node: result };
}
