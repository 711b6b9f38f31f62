import { type TrafficFinding, type TrafficJudgement, type TrafficRule, trafficFindingOf } from "../judge/finding.js";
import type { UnknownPart } from "./decode-message.js";
import { isConnectStream } from "./framing.js";
import type { ReadCall } from "./read-call.js";
import { callRules } from "./traffic-rules.js";

/** Judges the request of a call. */
export function judgeSeenCall(call: ReadCall): TrafficJudgement {
  const { destination, recorded } = call;
  switch (destination.kind) {
    case "outside":
      return { findings: [], shown: [] };
    case "unknown": {
      // A server may have RPCs that the contract lacks.
      if (!isUnimplemented(recorded.response)) return { findings: [], shown: [] };
      const [nearest] = destination.nearest;
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      return judged([trafficFindingOf("client", callRules.rpc, `the contract has no such RPC${hint}`)]);
    }
    case "rpc":
      return judgeKnown(call);
  }
}

/** Whether a server says that it lacks an RPC: by the status of gRPC in headers, trailers or the body, or by that of HTTP. */
function isUnimplemented(response: ReadCall["recorded"]["response"]): boolean {
  if (response === undefined) return false;
  const { status, headers, trailers, body } = response;
  if (status === 404 || status === 501) return true;
  const code = trailers?.["grpc-status"] ?? headers["grpc-status"];
  return code === undefined ? /grpc-status: ?12\r?\n/i.test(latin1(body)) : code === "12";
}

/** The last 4 KiB of a body as Latin-1, because the trailers of gRPC-Web are there. */
function latin1(body: Uint8Array | undefined): string {
  return Buffer.from(body?.subarray(-4096) ?? []).toString("latin1");
}

function judgeKnown(call: ReadCall): TrafficJudgement {
  const { recorded, form, request } = call;
  const { method, headers } = recorded.request;
  if (method !== "POST")
    return judged([trafficFindingOf("client", callRules.method, `expected POST, got ${method.slice(0, 20)}`)]);
  if (form === undefined) {
    const hint = isConnectStream(headers["content-type"]) ? ", because the RPC does not stream" : "";
    const got = /^[\w.+-]+\/[\w.+-]+/.exec(headers["content-type"] ?? "")?.[0] ?? "none";
    const text = `expected application/grpc, application/grpc-web, application/proto or application/json${hint}, got ${got}`;
    return judged([trafficFindingOf("client", callRules.contentType, text)]);
  }
  const findings = [...judgeHeaders(call)];
  const unread = request?.kind === "unread" ? { unread: request.reason } : {};
  if (request?.kind === "fault") {
    findings.push(
      trafficFindingOf("client", request.at === "framing" ? callRules.framing : callRules.message, request.problem),
    );
  } else if (request?.kind === "message") {
    findings.push(...request.unknown.filter(({ isOpen }) => !isOpen).map(unknownField));
  }
  return { ...judged(findings, request?.kind === "message" ? decodedRules : formRules), ...unread };
}

function judgeHeaders({ form, recorded }: ReadCall): TrafficFinding[] {
  const { headers } = recorded.request;
  const [name, pattern, expected] =
    form?.protocol === "connect"
      ? (["connect-timeout-ms", /^\d{1,10}$/, "at most ten digits"] as const)
      : (["grpc-timeout", /^\d{1,8}[HMSmun]$/, "at most eight digits and a unit, such as 5000m"] as const);
  const timeout = headers[name];
  return [
    ...(timeout === undefined || pattern.test(timeout)
      ? []
      : [trafficFindingOf("client", callRules.timeout, `${name}: expected ${expected}`, name)]),
    ...(form?.protocol !== "grpc" || headers.te === "trailers"
      ? []
      : [trafficFindingOf("client", callRules.trailers, "te: expected trailers")]),
  ];
}

function unknownField({ name, parent, nearest }: UnknownPart): TrafficFinding {
  const rule = nearest === undefined ? callRules.unknownField : callRules.fieldName;
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return trafficFindingOf("client", rule, `${parent} has no field ${name}${hint}`, name);
}

const formRules = [callRules.rpc, callRules.method, callRules.contentType, callRules.timeout];
const decodedRules = [...formRules, callRules.framing, callRules.message, callRules.fieldName, callRules.unknownField];

function judged(findings: readonly TrafficFinding[], shown: readonly TrafficRule[] = []): TrafficJudgement {
  const broken = new Set(findings.map(({ rule }) => rule));
  return { findings, shown: shown.map(({ id }) => id).filter((id) => !broken.has(id)) };
}
