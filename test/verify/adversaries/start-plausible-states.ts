import { onTestFinished } from "vitest";
import { callers } from "../../../generated/chat/states.js";
import { loadStatesCatalogue } from "../../../src/chat/contract.js";
import type { Schema } from "../../../src/contract/rest/document.js";
import { startExampleServer } from "../rest/example-server.js";

/**
 * Serves provider states that set nothing up but return distinct values of the right types, until the end of the test.
 */
export async function startPlausibleStates(): Promise<string> {
  const catalogue = await loadStatesCatalogue();
  let count = 1000;
  const plausible = ({ type, properties = {}, items, examples = [] }: Schema): unknown => {
    count++;
    switch ([type].flat()[0]) {
      case "integer":
      case "number":
        return count;
      case "boolean":
        return true;
      case "array":
        return items === undefined ? [] : [plausible(items), plausible(items)];
      case "object":
        return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plausible(schema)]));
      default:
        return `${examples[0] ?? "text"}${count}`;
    }
  };
  const server = await startExampleServer(({ body }) => {
    const { state, params } = JSON.parse(body);
    const values = catalogue["x-states"][state]?.values;
    const credentials = callers.map((name) => {
      const id = ++count;
      return [name, { user_id: id, email: `${name}-${id}@org.example`, api_key: `key-${id}` }];
    });
    return {
      body: {
        ...(values === undefined ? {} : (plausible(values) as object)),
        organization: params?.organization ?? `org-${++count}`,
        credentials: Object.fromEntries(credentials),
      },
    };
  });
  onTestFinished(server.close);
  return `${server.url}/states`;
}
