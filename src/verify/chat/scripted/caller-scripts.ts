import { loginPath } from "../server/prerequisites.js";
import { basicCredentials } from "../states/callers.js";
import type { Script, ScriptProblem } from "./script.js";
import { isSuccess, jsonOf, NotShownError } from "./server-under-test.js";

/** The scripts about credentials, sessions and concurrent requests of a caller. */
export const callerScripts: readonly Script[] = [
  {
    workflowId: "authentication-letter-case",
    summary: "Letter case matters in a key, and not in the name of the authentication scheme",
    kinds: ["credential-scheme", "wrong-credentials"],
    run: async (server) => {
      const { credentials } = await server.setUp({ state: "organization" });
      const { member } = credentials;
      if (member === undefined) throw new NotShownError("the provider states returned no credentials of member");
      const { email, api_key: key } = member;
      const ask = (authorization: string) =>
        server.send({ method: "GET", url: loginPath, headers: { Authorization: authorization } });
      const problems: ScriptProblem[] = [];
      for (const scheme of ["basic", "BASIC"]) {
        const { status } = await ask(basicCredentials(email, key).replace("Basic", scheme));
        if (status === 200) continue;
        problems.push({
          kind: "credential-scheme",
          text: `the scheme \`${scheme}\`: expected status 200, got ${status}`,
        });
      }
      const swapped = key.replace(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      );
      const { status } = await ask(basicCredentials(email, swapped));
      if (swapped !== key && status < 400) {
        const text = `a key whose letters are in the other case: expected an error, got status ${status}`;
        problems.push({ kind: "wrong-credentials", text });
      }
      return problems;
    },
  },
  {
    workflowId: "authentication-session",
    summary: "A session cookie takes the place of Basic credentials",
    kinds: ["session-cookie", "session-upload"],
    states: ["session"],
    run: async (server) => {
      const { values, credentials } = await server.setUp({ state: "session" });
      const headers = Object.fromEntries(
        Object.entries(values.headers ?? {}).map(([name, value]) => [name, `${value}`]),
      );
      const problems: ScriptProblem[] = [];
      const { status } = await server.send({ method: "GET", url: loginPath, headers });
      if (status !== 200) {
        problems.push({ kind: "session-cookie", text: `a request with a session: expected status 200, got ${status}` });
      }
      // A server may treat requests that change something differently.
      const change = server.operationOf("concurrent-requests");
      const ids = Object.fromEntries(change.parameters.map((name) => [name, credentials.other?.user_id]));
      const changed = await server.send({ method: change.method, url: change.path(ids), headers });
      if (status === 200 && !isSuccess(changed)) {
        const text = `a change with a session: expected a success, got status ${changed.status}`;
        problems.push({ kind: "session-cookie", text });
      }
      if (!server.has("session-upload")) return problems;
      const { method, path } = server.operationOf("session-upload");
      const created = await server.send({
        ...{ method, url: path() },
        headers: { ...headers, "Tus-Resumable": "1.0.0", "Upload-Length": "8" },
      });
      // The server may refuse this version of tus, but not the session.
      if (created.status === 401 || created.status === 403) {
        const text = `the creation of an upload with a session: got status ${created.status}`;
        problems.push({ kind: "session-upload", text });
      }
      return problems;
    },
  },
  {
    workflowId: "concurrent-requests",
    summary: "Each of several concurrent requests of a caller takes effect",
    kinds: ["concurrent-requests"],
    run: async (server) => {
      const { credentials } = await server.setUp({ state: "organization" });
      const { method, path, parameters } = server.operationOf("concurrent-requests");
      const ids = ["other", "moderator", "administrator", "owner"].map((name) => credentials[name]?.user_id);
      const call = (id: unknown) => {
        const values = Object.fromEntries(parameters.map((name) => [name, id]));
        return server.send({ method, url: path(values), as: "member" });
      };
      const first = await Promise.all(ids.map(call));
      if (!first.every(isSuccess)) throw new NotShownError("a concurrent request does not succeed");
      const again = [];
      for (const id of ids) again.push(await call(id));
      const lost = again.filter(isSuccess).length;
      return lost === 0
        ? []
        : [{ kind: "concurrent-requests", text: `${lost} of ${ids.length} requests had no effect, and succeed again` }];
    },
  },
  {
    workflowId: "conventions-nothing-else",
    summary: "A success has no fields that the contract does not list",
    kinds: ["nothing-else"],
    run: async (server) => {
      if (server.isNewer) throw new NotShownError("the server has a newer feature level than the contract");
      const { credentials } = await server.setUp({ state: "organization" });
      // This operation has no fields of its own.
      const { method, path, parameters } = server.operationOf("concurrent-requests");
      const values = Object.fromEntries(parameters.map((name) => [name, credentials.other?.user_id]));
      const response = await server.send({ method, url: path(values), as: "member" });
      if (!isSuccess(response)) throw new NotShownError(`the request does not succeed: status ${response.status}`);
      const listed = ["result", "msg", "ignored_parameters_unsupported"];
      const others = Object.keys(jsonOf(response)).filter((name) => !listed.includes(name));
      return others.map((name) => ({ kind: "nothing-else", text: `the success has a field \`${name}\`` }) as const);
    },
  },
  {
    workflowId: "conventions-level",
    summary: "A server has every operation that its feature level has",
    kinds: ["level-operations"],
    run: async (server) => {
      const problems: ScriptProblem[] = [];
      for (const { operationId, method, path, parameters } of server.addedOperations()) {
        const values = Object.fromEntries(parameters.map((name) => [name, 1]));
        const { status } = await server.send({ method, url: path(values) });
        if (status !== 404 && status !== 405 && status !== 501) continue;
        problems.push({ kind: "level-operations", text: `the server has no ${operationId}: status ${status}` });
      }
      return problems;
    },
  },
];
