import { type SampleRequest, sampleOrigin } from "./sample-request.js";

/** The request as a TypeScript program with the client, or with `fetch` for a protocol that the client does not speak. */
export function typescriptSample(request: SampleRequest): string {
  const { operation, operationId, credentials } = request;
  if (operation.protocol !== undefined) return fetchSample(request);
  const login =
    credentials === undefined ? "" : `, email: ${literal(credentials.email)}, apiKey: ${literal(credentials.apiKey)}`;
  const parameters = Object.entries(request.values).map(([name, value]) => {
    const file = request.body.find((field) => field.name === name)?.file;
    return `  ${name}: ${
      file === undefined
        ? literal(value)
        : `new File([${literal(file.text)}], ${literal(file.name)}, { type: ${literal(file.type)} })`
    },`;
  });
  return `import { createChatClient } from "accord-contracts/chat";

const chat = createChatClient({ baseUrl: ${literal(sampleOrigin)}${login} });

const result = await chat.${operationId}(${parameters.length === 0 ? "" : `{\n${parameters.join("\n")}\n}`});
console.log(result.status, result.ok ? result.data : result.error.code);`;
}

function fetchSample({ operation, url, credentials, header }: SampleRequest): string {
  const login =
    credentials === undefined
      ? []
      : [`    Authorization: \`Basic \${btoa(${literal(`${credentials.email}:${credentials.apiKey}`)})}\`,`];
  const headers = [...login, ...header.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`)];
  return `const response = await fetch(${literal(url)}, {
  method: ${literal(operation.method)},
  headers: {
${headers.join("\n")}
  },
});
console.log(response.status, await response.text());`;
}

/** A value as a literal, with the keys of objects unquoted where possible. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(inner)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
