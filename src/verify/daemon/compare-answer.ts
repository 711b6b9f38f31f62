import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase, DaemonRule } from "../../contract/daemon/cases.js";
import { pointerKeys, valueAt } from "../../contract/json-pointer.js";
import type { Answer, ErrorDetail, MetadataEntry } from "./answer.js";
import { contradictionsIn, kebabCase, subjectOf } from "./contradictions.js";
import { fullReply } from "./create-call.js";
import { createSecretFinder, showsSecret } from "./secret-finder.js";

/** Something that the contract forbids, and the rules that it breaks, the most telling first. */
export interface Problem {
  readonly rules: readonly string[];
  /** A readable sentence. It may hold what the daemon answered; mask it before it is shown. */
  readonly text: string;
}

/** Where a daemon can show a secret. */
export type Surface = "message" | "details" | "metadata" | "reply" | "logs";

const surfaces: readonly Surface[] = ["message", "details", "metadata", "reply", "logs"];

/**
 * What is wrong with an answer; empty when it keeps what the case promises.
 *
 * A case with a reply promises that the RPC is there, that the call succeeds unless the case is `open`, and the values at its
 * `exact` pointers. Every case promises an answer of the RPC protocol in which none of its `secrets` shows. The contract fixes
 * neither code nor message of an error, nor whether the lists of a preview are complete. Of the replies, `rules` say which contradict
 * themselves. Rejects only when it is aborted.
 */
export async function compareAnswer(
  one: DaemonCase,
  answer: Answer,
  { rules = [], signal }: { readonly rules?: readonly DaemonRule[]; readonly signal?: AbortSignal } = {},
): Promise<Problem[]> {
  const contradictions = answer.kind === "reply" ? contradictionsIn(one.rpc, answer.reply, rules) : [];
  return [...contentProblems(one, answer), ...contradictions, ...(await leaks(one, answer, signal))];
}

/** The rules that a secret on a surface breaks: those of the case but the ones about other surfaces, and the one about this. */
export function rulesOfLeak(one: DaemonCase, surface: Surface): string[] {
  const others = surfaces.filter((other) => other !== surface).map((other) => `redaction.${other}`);
  // A log is no user interface.
  if (surface === "logs") others.push("redaction.user-interface");
  const named = orMain(
    one,
    namedRules(one).filter((id) => !others.includes(id)),
  );
  // No case names it, since few daemons answer a message when fetching failed.
  return surface === "reply" ? [...named, "redaction.reply"] : named;
}

function contentProblems(one: DaemonCase, answer: Answer): Problem[] {
  const mustSucceed = one.reply !== undefined && one.open === undefined;
  switch (answer.kind) {
    case "reply":
      return exactProblems(one, answer.reply);
    case "error": {
      const isMissing = answer.code === "unimplemented";
      const rules = [...(isMissing ? rulesOfPresence(one) : []), ...(mustSucceed ? statements(one) : [])];
      const expected = one.reply === undefined ? "that the daemon has the RPC" : "a reply";
      const text = `expected ${expected}, got the error ${answer.code} with ${JSON.stringify(answer.message)}`;
      return rules.length === 0 ? [] : [{ rules, text }];
    }
    case "malformed":
      return [
        {
          rules: ["service.unary", "wire.proto3"],
          text: `expected an answer of the RPC protocol, got: ${answer.text}`,
        },
      ];
    case "timeout":
      return mustSucceed
        ? [{ rules: statements(one), text: `expected a reply, got none within ${answer.afterMs} ms` }]
        : [];
    case "unreachable":
      return [];
  }
}

/** The rules that a case shows broken when the daemon answers that it does not have the RPC. */
function rulesOfPresence(one: DaemonCase): string[] {
  if (one.reply !== undefined) return namedRules(one).filter(isOfService);
  // Of a URL a daemon may say that it does not support it.
  if (one.request.url !== undefined) return [];
  return [one.rpc.startsWith("MeshControlService/") ? "service.mesh-control" : "service.proxy-subscriptions"];
}

function exactProblems(one: DaemonCase, actual: JsonObject): Problem[] {
  const expected = fullReply(one.rpc, one.reply ?? {});
  return (one.exact ?? []).flatMap((pointer) => {
    const [wanted, got] = [valueAt(expected, pointer), valueAt(actual, pointer)];
    if (isDeepStrictEqual(wanted, got)) return [];
    return [{ rules: [ruleOfField(one, pointer)], text: `${pointer}: expected ${show(wanted)}, got ${show(got)}` }];
  });
}

/** `/selectedOrdinal` of SelectNode is what `select-node.returns-selected-ordinal` is about. */
function ruleOfField(one: DaemonCase, pointer: string): string {
  const id = `${subjectOf(one.rpc)}.returns-${kebabCase(pointerKeys(pointer)[0] ?? "")}`;
  return namedRules(one).includes(id) ? id : one.rule;
}

async function leaks(one: DaemonCase, answer: Answer, signal: AbortSignal | undefined): Promise<Problem[]> {
  if (one.secrets === undefined) return [];
  const find = createSecretFinder(one.secrets);
  const problems: Problem[] = [];
  for (const { surface, place, texts } of readable(answer)) {
    for (const text of texts) {
      if (!(await showsSecret(text, find, signal))) continue;
      problems.push({ rules: rulesOfLeak(one, surface), text: `${place} shows a secret of the URL` });
      break;
    }
  }
  return problems;
}

/** Something that a caller can read. */
interface Readable {
  readonly surface: Surface;
  /** Where it stands, in words. */
  readonly place: string;
  readonly texts: readonly string[];
}

/** What a caller can read of an answer. */
function readable(answer: Answer): readonly Readable[] {
  switch (answer.kind) {
    case "reply":
      return [
        { surface: "reply", place: "the reply", texts: [asText(answer.bytes)] },
        ...answer.metadata.map(readableEntry),
      ];
    case "error": {
      const { message, details, metadata } = answer;
      const sent = metadata.filter(([name]) => name === "grpc-message").map(([, value]) => value);
      const others = metadata.filter(([name]) => !carriers.has(name));
      return [
        { surface: "message", place: "the message of the error", texts: [message, ...sent] },
        { surface: "details", place: "a detail of the error", texts: details.flatMap(detailTexts) },
        ...others.map(readableEntry),
      ];
    }
    case "malformed":
      return [{ surface: "message", place: "the answer", texts: [answer.text] }, ...answer.metadata.map(readableEntry)];
    case "unreachable":
    case "timeout":
      return [];
  }
}

/** Metadata in which gRPC carries the message and the details of an error. */
const carriers: ReadonlySet<string> = new Set(["grpc-message", "grpc-status-details-bin"]);

function detailTexts({ type, value, debug = "" }: ErrorDetail): string[] {
  return [type, asText(value), debug];
}

function readableEntry([name, value]: MetadataEntry): Readable {
  return { surface: "metadata", place: `the header or trailer ${name}`, texts: [`${name}: ${value}`] };
}

/** Bytes that are no UTF-8 leave the texts around them readable. */
function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

function namedRules({ rule, also = [] }: DaemonCase): string[] {
  return [rule, ...also];
}

/** What a case shows beside that the RPC is there and how messages travel. */
function statements(one: DaemonCase): string[] {
  return orMain(
    one,
    namedRules(one).filter((id) => !isOfService(id) && !id.startsWith("wire.")),
  );
}

function isOfService(id: string): boolean {
  return id.startsWith("service.");
}

function orMain({ rule }: DaemonCase, rules: string[]): string[] {
  return rules.length === 0 ? [rule] : rules;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
