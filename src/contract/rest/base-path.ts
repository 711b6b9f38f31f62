import type { ContractDocument } from "./document.js";

/** The path of the API below its host, from the first server: `/api/v1` for `{base_url}/api/v1`. Empty if there is none. */
export function basePath({ servers = [] }: Partial<Pick<ContractDocument, "servers">>): string {
  const { url = "/", variables = {} } = (servers[0] ?? {}) as {
    url?: string;
    variables?: Readonly<Record<string, { default?: string }>>;
  };
  const filled = url.replace(/\{([^{}]+)\}/g, (_, name: string) => variables[name]?.default ?? name);
  return filled.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, "").replace(/\/+$/, "");
}
