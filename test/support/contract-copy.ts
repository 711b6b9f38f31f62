import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Document, parseDocument } from "yaml";

const openapi = fileURLToPath(new URL("../../openapi", import.meta.url));

/**
 * Copies the part of the contract that the operation `unsubscribe` needs into a folder: a small valid contract for a test to break.
 */
export function copySmallContract(folder: string): void {
  const unneeded = /\/(?:paths|behaviour|components\/examples\/(?!unsubscribe$)\w+)$/;
  cpSync(openapi, folder, { recursive: true, filter: (path) => !unneeded.test(path) });
  const path = "paths/users_me_subscriptions.yaml";
  mkdirSync(join(folder, "paths"));
  cpSync(join(openapi, path), join(folder, path));
  editYaml(join(folder, "chat.yaml"), (root) => {
    root.setIn(["paths"], { "/users/me/subscriptions": { $ref: path } });
    // Rules about clients name other operations.
    const rules: readonly { readonly party?: string }[] = root.toJS()["x-rules"];
    for (const index of rules.flatMap(({ party }, i) => (party === undefined ? [] : i)).reverse()) {
      root.deleteIn(["x-rules", index]);
    }
    root.setIn(["tags"], [{ name: "channels", description: "Channels." }]);
  });
}

/** Changes a YAML file in place. */
export function editYaml(file: string, change: (document: Document) => void): void {
  const document = parseDocument(readFileSync(file, "utf8"));
  change(document);
  writeFileSync(file, document.toString({ lineWidth: 0 }));
}
