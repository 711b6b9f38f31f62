import { maxBlockedMs } from "./base/loop-watch.js";
import { maxJsonDepth, maxJsonValues } from "./base/parse-json.js";
import { maxReadBytes } from "./breaking/check-out.js";
import { maxAliases, maxReferenceHops } from "./contract/rest/reading/cut-references.js";
import { maxDocumentBytes, maxDocumentNodes } from "./contract/rest/reading/document-reader.js";
import { maxReferenceChain, maxSchemasPerValue } from "./contract/rest/reading/find-endless.js";
import {
  defaultConnectionLimits,
  maxHttp2Faults,
  maxHttp2HeaderBytes,
  maxHttp2SessionMebibytes,
} from "./http/either-http.js";
import { maxConnections, maxHeaderSize, maxHeadersMs, maxKeepAliveMs } from "./http/envelope-server.js";
import { maxUnanswered } from "./http/pipelining.js";
import { maxChunkMs } from "./http/send-text.js";
import { maxSequenceBytes, maxSequenceItems, maxSequenceMs } from "./http/sequential.js";
import { maxIdleMs } from "./http/unread-answers.js";
import { maxUnanswered as maxChecksUnanswered } from "./report/model/server-down.js";
import { maxWaiting as maxCallerWaiting } from "./runtime/rest/server/caller-queue.js";
import { maxIdleMs as maxRefusedIdleMs } from "./runtime/rest/server/fetch-handler.js";
import { maxComparedDepth } from "./schema/json-equality.js";
import { maxPatternMs } from "./schema/pattern.js";
import { maxMadeValues } from "./schema/sample/sample.js";
import { maxSampleValues } from "./schema/sample-size.js";
import { maxValidationMs } from "./schema/validate-within.js";
import { maxQuotes } from "./secrets/decoded-views.js";
import { maxSpellingLength } from "./secrets/find-secrets.js";
import { defaultMemoryLimits } from "./server/rest/memory-budget.js";
import { defaultBodyLimits } from "./server/rest/read-body.js";
import { maxRequestBytes } from "./server/rpc/call-errors.js";
import { maxClosingMs } from "./traffic/forward/client-side.js";
import { maxContinueMs, maxIdleMs as maxServerIdleMs } from "./traffic/forward/http1.js";
import { defaultForwarderLimits, maxHeaderBytes, maxInterimResponses } from "./traffic/forward/server-side.js";
import { maxBodyBytes, maxHarBytes, maxPendingBytes } from "./traffic/har/create-har-writer.js";
import { maxCallers } from "./traffic/judge/coverage.js";
import { maxGroups } from "./traffic/judge/create-traffic-recorder.js";
import { maxWaiting, maxWaitingBytes } from "./traffic/proxy/create-judge-queue.js";
import { maxBodyBytes as maxOwnBodyBytes } from "./traffic/proxy/own-endpoints.js";
import { maxPlanned } from "./traffic/proxy/planned-cases.js";
import { maxContentBytes } from "./traffic/recorded/decompress.js";
import { maxCharacters, maxCharactersOfOne, maxEpisodes } from "./traffic/rest/clients/create-rule-watch.js";
import { maxChangedLength, maxChangedValues } from "./traffic/rest/provoke/create-strainer.js";
import { maxFields } from "./traffic/rest/request/judge-parameters.js";
import { maxFrames } from "./traffic/rpc/framing.js";
import { maxMessageBytes } from "./traffic/rpc/proxy-rpc.js";
import { maxShrinks } from "./verify/derive/random-check.js";
import { maxCodings } from "./verify/http/call-http.js";
import { maxAttempts, maxWaitSeconds } from "./verify/http/send-request.js";
import { maxFound } from "./verify/rpc/scan-file.js";
import { maxReachMs } from "./verify/rpc/verify-rpc.js";
import { maxCodeCalls } from "./verify/run/code-guard.js";
import { maxRemoved, maxRemovingMs } from "./verify/run/creations.js";
import { maxLostWrites } from "./verify/run/lost-writes.js";
import { maxEndlessBytes, maxRequests } from "./verify/run/serve-host.js";
import { maxBlamed, maxDrops, maxEnds, maxLate, maxLateMs, maxLookMs, maxRuns } from "./verify/run/server-watch.js";
import { maxCommandMs } from "./verify/token-command.js";
import { maxTrailerBytes } from "./wire/accept-status-in-headers.js";
import { maxAnswerBytes, maxHeldBytes } from "./wire/answer-limits.js";
import { maxConnectBytes } from "./wire/env-proxy.js";
import { maxHttp2Attempts, maxIdleMs as maxHttp2IdleMs } from "./wire/http2-client.js";
import { maxUnreadBytes } from "./wire/http2-response.js";
import { maxMessageDepth, maxMessageValues } from "./wire/message-excess.js";
import { maxProbeMs } from "./wire/tls-probe.js";

/** A bound on what a stranger's document, server or client can make a process hold or wait for. `bytes` and `ms` are shown in larger units. */
export type Limit = readonly [
  what: string,
  value: number,
  unit: "bytes" | "ms" | "s" | "",
  /** By command or interface. */
  where: string,
  /** As a phrase. */
  whenExceeded: string,
];

const document = "every document";
const [verify, servers, proxy, recordings] = ["verify", "mocks and stubs", "proxy", "proxy --har, check"];

/** Every bound of the engine, for `docs/limits.md`. Add each new one. */
export const limits: readonly Limit[] = [
  ["A file of a document", maxDocumentBytes, "bytes", document, "refused"],
  ["Values of such a file, with those that YAML aliases repeat", maxDocumentNodes, "", document, "refused"],
  ["References from a part of a document to another", maxReferenceHops, "", document, "the rest is not judged"],
  ["Schemas that follow from another for one value", maxReferenceChain, "", document, "that schema is not judged"],
  ["Schemas that judge one value", maxSchemasPerValue, "", document, "that schema is not judged"],
  ["Values of a sample of a schema", maxSampleValues, "", document, "no sample is made"],
  ["Values made for a sample, with the alternatives that are tried", maxMadeValues, "", document, "no sample is made"],
  ["The time of a pattern that only JavaScript's engine reads", maxPatternMs, "ms", document, "not judged"],
  [
    "The time to compare a value with a schema",
    maxValidationMs,
    "ms",
    document,
    "nothing more is judged by that schema",
  ],
  ["Files of a revision that are read at once", maxReadBytes, "bytes", "breaking", "read one after the other"],
  ["A response, decompressed", maxAnswerBytes, "bytes", verify, "the check fails"],
  ["All responses that are being read", maxHeldBytes, "bytes", verify, "the check fails"],
  [
    "The time in which a sequence of items is read, such as events",
    maxSequenceMs,
    "ms",
    verify,
    "the rest is not judged",
  ],
  ["Bytes of such a sequence", maxSequenceBytes, "bytes", verify, "the rest is not judged"],
  ["Items of such a sequence", maxSequenceItems, "", verify, "the rest is not judged"],
  ["Content codings of a response", maxCodings, "", verify, "the check fails"],
  ["Levels of nesting in a JSON response", maxJsonDepth, "", verify, "the check fails"],
  ["Values of a JSON response", maxJsonValues, "", verify, "the check fails"],
  ["Attempts of a request that gets 429", maxAttempts, "", verify, "the check gets no response"],
  [
    "Values of a message of an RPC",
    maxMessageValues,
    "",
    "everything",
    "the check fails, not judged, or `RESOURCE_EXHAUSTED`",
  ],
  ["Attempts of a call that a server says it did not process", maxHttp2Attempts, "", verify, "the call fails"],
  ["The waits that `Retry-After` asks for, together", maxWaitSeconds, "s", verify, "the check gets no response"],
  ["Consecutive checks without a response", maxChecksUnanswered, "", verify, "the server counts as down"],
  [
    "Requests of an operation that end the server or get no response",
    maxBlamed,
    "",
    verify,
    "its other checks are skipped",
  ],
  [
    "The time in which code of a contract lets nothing else run",
    maxBlockedMs,
    "ms",
    `lint, ${verify}`,
    "it, or the process, is ended",
  ],
  ["Things that a run removes at its end", maxRemoved, "", verify, "the report names the rest"],
  ["The time in which it removes them", maxRemovingMs, "ms", verify, "the report names the rest"],
  ["Places of a log or file that show a secret", maxFound, "", verify, "the search ends"],
  ["A secret that is searched for", maxSpellingLength, "bytes", "every output", "its beginning shows it"],
  ["The request line and headers", maxHeaderSize, "bytes", servers, "status 431"],
  ["The time that headers take", maxHeadersMs, "ms", servers, "status 408"],
  ["Unanswered requests of a connection", maxUnanswered, "", `${servers}, ${proxy}`, "disconnected"],
  ["The time in which a client reads nothing of its response", maxIdleMs, "ms", servers, "disconnected"],
  ["Connections over HTTP/1.1", maxConnections, "", servers, "closed at once"],
  ["Connections of an RPC server", defaultConnectionLimits.connections, "", servers, "closed at once"],
  ["Open requests of a connection over HTTP/2", defaultConnectionLimits.streams, "", servers, "refused"],
  ["Those of all connections", defaultConnectionLimits.allStreams, "", servers, "status 503"],
  ["Refused requests and invalid frames of a connection", maxHttp2Faults, "", servers, "disconnected"],
  ["The headers of a request over HTTP/2", maxHttp2HeaderBytes, "bytes", servers, "refused"],
  ["What is kept for a connection over HTTP/2", maxHttp2SessionMebibytes * 2 ** 20, "bytes", servers, "refused"],
  ["The time that a request of an RPC takes", defaultConnectionLimits.requestMs, "ms", servers, "disconnected"],
  ["A multipart body", defaultBodyLimits.uploadBytes, "bytes", servers, "status 413"],
  ["Any other body", defaultBodyLimits.formBytes, "bytes", servers, "status 413"],
  ["Fields of a form", defaultBodyLimits.fields, "", servers, "status 400"],
  ["All requests and responses that are held", defaultMemoryLimits.maxBytes, "bytes", "stubs", "status 503"],
  ["Those of one caller", defaultMemoryLimits.maxBytesPerCaller, "bytes", "stubs", "status 503"],
  ["A message to an RPC server", maxRequestBytes, "bytes", servers, "`RESOURCE_EXHAUSTED`"],
  ["Headers that are passed on", maxHeaderBytes, "bytes", proxy, "status 431 or 502"],
  ["Interim responses to a request", maxInterimResponses, "", proxy, "status 502"],
  ["A request body that is judged", defaultForwarderLimits.maxRequestBytes, "bytes", proxy, "passed on, not judged"],
  ["A response body that is judged", defaultForwarderLimits.maxResponseBytes, "bytes", proxy, "passed on, not judged"],
  [
    "All bodies that are kept while they are passed on",
    defaultForwarderLimits.maxHeldBytes,
    "bytes",
    proxy,
    "passed on, not judged",
  ],
  ["The time in which neither side sends anything", defaultForwarderLimits.maxSilenceMs, "ms", proxy, "disconnected"],
  ["Connections to the server over HTTP/1.1", defaultForwarderLimits.maxServerConnections, "", proxy, "requests wait"],
  ["Exchanges that wait to be judged", maxWaiting, "", proxy, "requests wait"],
  ["Bodies that wait to be judged", 2 * maxWaitingBytes, "bytes", proxy, "not judged"],
  ["A body that is decompressed", maxContentBytes, "bytes", `${proxy}, check`, "not judged"],
  ["Different findings, and operations", maxGroups, "", `${proxy}, check`, "further ones are not reported"],
  ["Clients whose reactions are watched", maxCallers, "", proxy, "the oldest is forgotten"],
  ["Exchanges that a rule about clients remembers", maxEpisodes, "", `${proxy}, check`, "the oldest are forgotten"],
  ["Characters of these exchanges", maxCharacters, "", `${proxy}, check`, "the oldest are forgotten"],
  ["Cases that are planned", maxPlanned, "", proxy, "status 400"],
  ["A body of `/accord/next`", maxOwnBodyBytes, "bytes", proxy, "status 413"],
  ["A recording", maxHarBytes, "bytes", recordings, "further exchanges are omitted, or the file is refused"],
  ["A body in a recording", maxBodyBytes, "bytes", recordings, "omitted"],
  ["A recording that waits for the disk", maxPendingBytes, "bytes", recordings, "exchanges are omitted"],
  ["The time in which a client reads 64 KiB of a response", maxChunkMs, "ms", servers, "disconnected"],
  ["The time in which a connection has no request", maxKeepAliveMs, "ms", servers, "disconnected"],
  ["Requests of one caller that wait", maxCallerWaiting, "", "stubs", "status 503"],
  ["The time in which a client sends nothing of a refused request", maxRefusedIdleMs, "ms", "stubs", "disconnected"],
  ["The time in which a connection to the server has no request", maxServerIdleMs, "ms", proxy, "closed"],
  ["The time in which the server ignores `Expect: 100-continue`", maxContinueMs, "ms", proxy, "the body is sent"],
  ["The time in which a client sends the rest of an answered request", maxClosingMs, "ms", proxy, "disconnected"],
  ["A response that `--strain` changes", maxChangedLength, "bytes", proxy, "passed on, unchanged"],
  ["Its values", maxChangedValues, "", proxy, "passed on, unchanged"],
  ["A message of an RPC", maxMessageBytes, "bytes", proxy, "passed on, not judged"],
  ["Parameters of a request", maxFields, "", `${proxy}, check`, "further ones are not judged"],
  ["Characters of one of these exchanges", maxCharactersOfOne, "", `${proxy}, check`, "not remembered"],
  ["Frames of a message of an RPC", maxFrames, "", `${proxy}, check`, "a finding"],
  ["Levels of nesting in a message of an RPC", maxMessageDepth, "", "everything", "not decoded"],
  ["What arrives of a response over HTTP/2 before it is read", maxUnreadBytes, "bytes", verify, "the server waits"],
  ["The time in which a connection over HTTP/2 has no call", maxHttp2IdleMs, "ms", verify, "closed"],
  [
    "Trailers in the body of gRPC-Web, where headers have the error",
    maxTrailerBytes,
    "bytes",
    verify,
    "the call fails",
  ],
  ["The time to find out whether a server speaks TLS", maxProbeMs, "ms", verify, "it does not"],
  ["The response of a proxy of the environment to CONNECT", maxConnectBytes, "bytes", verify, "the call fails"],
  ["The time to find out whether a server responds", maxLookMs, "ms", verify, "it does not"],
  ["The wait for the first response of an RPC server", maxReachMs, "ms", verify, "the run begins"],
  [
    "Checks that are run again because they may have ended the server late",
    maxLate,
    "",
    verify,
    "further ones are not",
  ],
  [
    "The time before the end of a server in which their responses came",
    maxLateMs,
    "ms",
    verify,
    "they are not to blame",
  ],
  [
    "How often JSON quotes other JSON in which secrets are masked",
    maxQuotes,
    "",
    "every output",
    "deeper ones are not found",
  ],
  ["Runs of a check while others end the server", maxRuns, "", verify, "skipped"],
  ["Closed connections of one request, sent alone", maxDrops, "", verify, "it is to blame"],
  ["Ends of a server while a request, sent alone, may be unread", maxEnds, "", verify, "it is to blame"],
  ["Writes of an operation in a row without a response", maxLostWrites, "", verify, "it is to blame"],
  ["Requests to a host that a check serves, which are noted", maxRequests, "", verify, "further ones are not"],
  ["An endless response of such a host", maxEndlessBytes, "bytes", verify, "it ends"],
  ["The time of a check in code, in calls that take `--timeout`", maxCodeCalls, "", verify, "the check could not run"],
  ["The time of `--token-command`", maxCommandMs, "ms", verify, "the run ends"],
  ["Requests to find a smaller one that fails", maxShrinks, "", verify, "the smallest so far is reported"],
  ["Levels of nesting of values that are compared", maxComparedDepth, "", document, "deeper ones count as equal"],
  ["Names of one thing in a row", maxAliases, "", document, "shortened"],
];
