import { describe, expect, it } from "vitest";
import { operations } from "../../../generated/chat/operations.js";
import { requestValidators, responseValidators } from "../../../generated/chat/validators.js";
import { caseValues } from "../../../src/chat/cases/case-request.js";
import { loadContract } from "../../../src/chat/contract.js";
import { parseRequest } from "../../../src/chat/server/parse-request.js";
import { listCases } from "../../../src/contract/rest/cases.js";
import { decode } from "../../../src/request/decode.js";
import { encode } from "../../../src/request/encode.js";
import { createRouter } from "../../../src/server/rest/match-route.js";
import { receivedMessage } from "../../support/received-message.js";

const cases = listCases(await loadContract());
const route = createRouter(operations);
const isOperation = (id: string): id is keyof typeof operations => id in operations;

describe("every example", () => {
  it.each(cases.map((one) => [`${one.operationId} ${one.name}`, one] as const))(
    "%s matches its schema, decoded and over the wire",
    (_, one) => {
      if (!isOperation(one.operationId)) throw new Error(`no operation ${one.operationId}`);
      const values = caseValues(one);
      const validRequest = requestValidators[one.operationId];
      // A case may show the response to an invalid request.
      const right = validRequest(values);
      if (one.response.status < 400) expect(validRequest.errors ?? []).toEqual([]);

      const encoded = encode(operations[one.operationId], values);
      const match = route(encoded.method, encoded.path);
      if (match.kind !== "found") throw new Error(`${encoded.method} ${encoded.path} leads to ${match.kind}`);
      expect(match.operationId).toBe(one.operationId);
      const message = receivedMessage(match.operation, encoded);
      const decoded = decode(match.operation, message);
      expect(validRequest(decoded.values) && decoded.malformed.length === 0).toBe(right);
      if (one.response.status < 400)
        expect(parseRequest(one.operationId, match.operation, message)).toMatchObject({ kind: "valid" });
      if (right) {
        const unknown = Object.fromEntries(Object.entries(values).filter(([name]) => decoded.unknown.includes(name)));
        expect({ ...decoded.values, ...unknown }).toEqual(values);
      }

      const { status, body } = one.response;
      const validators = responseValidators[one.operationId];
      const validResponse = validators[status] ?? validators.default;
      // A response without a body has no body in its example.
      expect(validResponse === undefined).toBe(body === undefined);
      if (body !== undefined)
        expect([body, JSON.parse(JSON.stringify(body))].map((one) => validResponse?.(one))).toEqual([true, true]);
    },
  );
});
