import { onTestFinished } from "vitest";
import { loadContract } from "../../../src/chat/contract.js";
import { type ResponseObject, resolve, type Schema } from "../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import { startExampleServer } from "../rest/example-server.js";
import { emptiestValue } from "./emptiest-value.js";

/** Serves the emptiest success that the contract of a level allows to every caller, until the end of the test. */
export async function startEmptiestChat(level: number): Promise<string> {
  const contract = atFeatureLevel(await loadContract(), level);
  const operations = listOperations(contract).map(({ path, method, operation }) => {
    const [status = "200", given] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
    const { content = {}, headers = {} } = given === undefined ? {} : resolve<ResponseObject>(contract, given);
    const schema: Schema | undefined = content["application/json"]?.schema;
    return {
      method: method.toUpperCase(),
      path: new RegExp(`^/api/v1${path.replace(/\{\w+\}/g, "[^?]+")}(\\?|$)`),
      answer: {
        status: Number(status),
        headers: Object.fromEntries(Object.keys(headers).map((name) => [name, "0"])),
        body: schema === undefined ? "" : emptiestValue(contract, schema),
      },
    };
  });
  const server = await startExampleServer(({ method, url = "" }) => {
    const found = operations.find((one) => one.method === method && one.path.test(url));
    return found?.answer ?? { status: 404, body: { result: "error", msg: "", code: "BAD_REQUEST" } };
  });
  onTestFinished(server.close);
  return `${server.url}/api/v1`;
}
