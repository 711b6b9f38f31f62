import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { UsageError } from "../../usage-error.js";
import type { Preference } from "../prefer.js";

/** A response of the mock, before serialization. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Selects a documented response for a valid request. Undefined if the contract has no such response. */
export type AnswerFromExamples = (method: string, path: string, preference: Preference) => Promise<Answer | undefined>;

/** Prism is not installed. The message says how to install it. */
export class PrismMissingError extends UsageError {
  override readonly name = "PrismMissingError";

  constructor() {
    super("The chat mock needs Prism. Install it with: npm install --save-dev @stoplight/prism-http@5.12.0");
  }
}

/**
 * Prism's engine with the Prism profile of the contract. Loads it on the first request, because loading takes most of a second.
 *
 * Prism selects the response (`Prefer`, first example, generated bodies). The caller validates requests, because Prism cannot
 * decode JSON in forms and queries. Throws a `PrismMissingError` if the package is not installed.
 */
export function createPrism(profile: URL): AnswerFromExamples {
  try {
    createRequire(import.meta.url).resolve("@stoplight/prism-http");
  } catch {
    throw new PrismMissingError();
  }
  let loaded: Promise<AnswerFromExamples> | undefined;
  return async (...request) => {
    loaded ??= loadPrism(profile);
    return (await loaded)(...request);
  };
}

async function loadPrism(profile: URL): Promise<AnswerFromExamples> {
  const { createInstance, getHttpOperationsFromSpec } = await import("@stoplight/prism-http");
  const operations = await getHttpOperationsFromSpec(JSON.parse(await readFile(profile, "utf8")));
  const config = {
    isProxy: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
  } as const;
  const prism = createInstance({ ...config, mock: { dynamic: false } }, { logger: silentLogger() });
  return async (method, path, { code, example, dynamic = false }) => {
    const mock = {
      dynamic,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
    };
    const request = { method: method.toLowerCase() as "get", url: { path } };
    const answer = await prism.request(request, operations, { ...config, mock })();
    // Without request validation, Prism fails only if the contract has no such response.
    if (answer._tag === "Left") return undefined;
    const { statusCode, headers = {}, body } = answer.right.output;
    // The mock serializes the body and sets its type.
    const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type");
    return { status: statusCode, headers: Object.fromEntries(kept), body };
  };
}

/** Prism requires a pino logger; the mock reports problems in its responses instead. */
function silentLogger(): never {
  const silent = { child: () => silent } as Record<string, unknown>;
  for (const level of ["trace", "debug", "info", "success", "warn", "error", "fatal"]) silent[level] = () => {};
  return silent as never;
}
