import { parseUrl } from "../../base/parse-url.js";
import type { ContractDocument } from "./document.js";

/** The path of the API below its host, from the first server: `/api/v1` for `{base_url}/api/v1`. Empty if it is at the root. */
export function basePath({ servers: [first] = [] }: Partial<Pick<ContractDocument, "servers">>): string {
  const { url = "", variables = {} } = (first ?? {}) as {
    url?: string;
    variables?: Readonly<Record<string, { default?: string }>>;
  };
  const filled = url.replace(/\{([^{}]+)\}/g, (_, name: string) => variables[name]?.default ?? "");
  return (parseUrl(filled, "http://localhost")?.pathname ?? "").replace(/\/+$/, "");
}
