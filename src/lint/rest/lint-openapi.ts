import type { RawUniversalConfig, Plugin as RedoclyPlugin } from "@redocly/openapi-core";
import { missingPackage } from "../../base/missing-package.js";
import { MissingPeerError } from "../../base/missing-peer-error.js";
import { UsageError } from "../../base/usage-error.js";
import { valueAt } from "../../contract/json-pointer.js";
import { cutKey } from "../../contract/rest/reading/cut-references.js";
import { createDocumentReader } from "../../contract/rest/reading/document-reader.js";
import { shownPath } from "../../contract/shown-path.js";
import type { LintFinding, Tier } from "../finding.js";
import { accordPlugin, type HouseRules } from "./plugin.js";

/** Rules of our plugin and of Redocly in each tier, beyond the ruleset that it extends. */
const settings: Readonly<Record<Tier, RawUniversalConfig>> = {
  minimal: {
    extends: ["minimal"],
    preprocessors: { "accord/collect-cases": { lenient: true } },
    rules: {
      "accord/case-known-names": "error",
      "accord/unsupported": "warn",
      // Habits that nothing depends on.
      "no-server-trailing-slash": "warn",
      "no-server-example.com": "off",
    },
  },
  strict: {
    extends: ["recommended-strict"],
    preprocessors: { "accord/collect-cases": "on" },
    rules: {
      "no-invalid-media-type-examples": "error",
      "no-invalid-parameter-examples": "error",
      "no-invalid-schema-examples": "error",
      "accord/case-known-names": "error",
      "accord/case-per-error-code": "error",
      "accord/client-rules": "error",
      "accord/described": "error",
      "accord/feature-level": "error",
      "accord/refers-to": "error",
      "accord/relies-on": "error",
      "accord/rule-ids": "error",
      "accord/shown-by": "error",
      "accord/states-catalogue": "error",
      "accord/unsupported": "warn",
    },
  },
};

/** Lints an OpenAPI document with the files that it refers to. `minimal` accepts ordinary documents; `strict` asks for a complete contract. */
export function lintOpenApi(file: string, tier: Tier): Promise<LintFinding[]> {
  return lintDocument(file, settings[tier], {}, tier === "minimal");
}

/** Lints a document of any kind that Redocly knows, such as Arazzo. `house` are further rules of our plugin that the settings may name. */
export async function lintDocument(
  file: string,
  config: RawUniversalConfig = { extends: ["recommended-strict"] },
  house: HouseRules = {},
  isLenient = false,
): Promise<LintFinding[]> {
  const { createConfig, getLineColLocation, lint, parseYaml, YamlParseError } = await importRedocly();
  // Redocly types the visitors of each kind of node; ours name only what they read.
  const plugins = [accordPlugin(house) as RedoclyPlugin];
  const problems = await lint({
    ref: file,
    config: await createConfig({ ...config, plugins, telemetry: "off" }),
    externalRefResolver: await createDocumentReader(),
  }).catch((error: unknown) => {
    if (error instanceof RangeError) throw new UsageError(`${file}:1: it is nested too deep, or its references are`);
    if (!(error instanceof YamlParseError)) throw error;
    // The other lines repeat the file.
    const [reason = ""] = error.originalError.message.split(/ in "|\n/, 1);
    throw new UsageError(`${shownPath(error.source.absoluteRef)}:${error.line || 1}:${error.col || 1}: ${reason}`);
  });
  const parsed = new Map<string, unknown>();
  const contentOf = ({ absoluteRef, body }: Source) => {
    const content = parsed.get(absoluteRef) ?? parseYaml(body);
    parsed.set(absoluteRef, content);
    return content;
  };
  return problems.map((problem) => {
    const finding = toFinding(problem, getLineColLocation);
    if (isNullType(problem, contentOf)) return { ...finding, severity: "warning", text: nullType };
    // JSON Schema ignores words that it does not have.
    const isHarmless =
      isLenient &&
      problem.ruleId === "struct" &&
      / is not expected here\./.test(finding.text) &&
      /\/(?:schema|schemas\/[^/]+)\//.test(problem.location[0]?.pointer ?? "");
    return isHarmless ? { ...finding, severity: "warning" } : finding;
  });
}

/** Imports the linter. Rejects with a `MissingPeerError` if it is not installed. */
function importRedocly() {
  return import("@redocly/openapi-core").catch((error: unknown) => {
    throw missingPackage(error) === undefined ? error : new MissingPeerError("OpenAPI", "@redocly/openapi-core");
  });
}

type Redocly = Awaited<ReturnType<typeof importRedocly>>;
type Source = Pick<InstanceType<Redocly["Source"]>, "absoluteRef" | "body">;
type Problem = Awaited<ReturnType<Redocly["lint"]>>[number];

const nullType = "OpenAPI 3.0 has no type `null`, but `nullable: true`. Accord reads it as OpenAPI 3.1 does.";

/** Whether a finding is about `type: null` in a document of 3.0. Many documents have it, and nobody misunderstands it. */
function isNullType({ ruleId, message, location: [place] }: Problem, contentOf: (source: Source) => unknown): boolean {
  if (ruleId !== "struct" || !message.startsWith("`type` can be one of") || place?.pointer === undefined) return false;
  return valueAt(contentOf(place.source), place.pointer) === "null";
}

function toFinding(
  { severity, ruleId, message, suggest, location: [place] }: Problem,
  getLineColLocation: Redocly["getLineColLocation"],
): LintFinding {
  const { line, col } = place === undefined ? {} : getLineColLocation(place).start;
  return {
    severity: severity === "error" ? "error" : "warning",
    file: place && shownPath(place.source.absoluteRef),
    line,
    column: col,
    check: ruleId,
    text: message.includes(cutKey)
      ? "`$ref` leads back to itself, or too far."
      : suggest.length === 0
        ? message
        : `${message} Did you mean: ${suggest.join(", ")}?`,
  };
}
