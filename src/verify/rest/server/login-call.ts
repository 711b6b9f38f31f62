import { credentialFields } from "../../../contract/rest/conventions.js";
import type { ContractDocument } from "../../../contract/rest/document.js";
import type { ProbedOperation } from "../../../contract/rest/probed-operation.js";
import { alternativeFor } from "../../../contract/rest/security.js";
import { sentValue, successesOf } from "../../derive/probe.js";
import { encodeCall } from "../../http/encode-call.js";
import { NoAnswerError } from "../../http/no-answer-error.js";
import { type SendLimits, sendRequest } from "../../http/send-request.js";
import { withLogin } from "../../http/with-login.js";
import type { Credentials } from "../../states/callers.js";

/** A read that needs nothing but a login. */
export interface LoginCall {
  readonly url: string;
  /** Sends it with these credentials, or with none. Resolves to the status; undefined if there is no response. */
  readonly send: (credentials: Credentials | undefined) => Promise<number | undefined>;
}

/** Finds a read that needs nothing but a login; undefined if the contract has none. `apiUrl` is the URL of the API. */
export function findLoginCall(
  operations: Iterable<ProbedOperation>,
  { apiUrl, document }: { readonly apiUrl: string; readonly document: ContractDocument },
  limits: SendLimits,
): LoginCall | undefined {
  for (const operation of operations) {
    const { method, needsLogin, parameters, logins } = operation;
    const required = parameters.filter((parameter) => parameter.required);
    if (method !== "GET" || !needsLogin || required.some(({ place }) => place === "path")) continue;
    const [success] = successesOf(operation);
    if (success === undefined) continue;
    const values = required.map(({ name }) => [name, sentValue(success, name)]);
    const request = encodeCall(operation, { with: Object.fromEntries(values) }, apiUrl);
    const send = async (credentials: Credentials | undefined) => {
      const fields = credentialFields(document);
      const login = alternativeFor(logins, credentials ?? {}, fields);
      const carrying = credentials === undefined ? request : withLogin(request, login, credentials, fields);
      const headers = { ...limits.headers, ...carrying.headers };
      const response = await sendRequest({ ...carrying, headers }, limits).catch(noAnswer);
      return response?.status;
    };
    return { url: request.url, send };
  }
  return undefined;
}

function noAnswer(error: unknown): undefined {
  if (error instanceof NoAnswerError) return undefined;
  throw error;
}
