import { defineCheck } from "../../src/checks.js";

/** A call that exists at every level and needs nothing but a login. */
const url = "/api/v1/messages?anchor=0&num_before=0&num_after=0";

/** In code, because it changes the letters of a key, and the authentication scheme. */
export const authenticationLetterCase = defineCheck({
  id: "workflow authentication-letter-case",
  operation: "authentication",
  summary: "Letter case matters in a key, and not in the name of the authentication scheme",
  rules: ["authentication.basic-user", "authentication.wrong-credentials"],
  calls: ["getMessages"],
  run: async ({ setUp, send, skip, fail }) => {
    const { member } = (await setUp("organization")).credentials as Readonly<Record<string, Credentials>>;
    if (member === undefined) return skip("the provider states returned no credentials of member");
    const { email, api_key: key } = member;
    const ask = (authorization: string) => send({ method: "GET", url, headers: { Authorization: authorization } });
    const usual = await ask(`Basic ${encoded(email, key)}`);
    if (usual.status !== 200) return skip(`a request with the usual spelling does not succeed: status ${usual.status}`);
    for (const scheme of ["basic", "BASIC"]) {
      const { status } = await ask(`${scheme} ${encoded(email, key)}`);
      if (status === 200) continue;
      fail(`the scheme \`${scheme}\`: expected status 200, got ${status}`, "authentication.basic-user");
    }
    const swapped = key.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const { status } = await ask(`Basic ${encoded(email, swapped)}`);
    if (swapped === key || status >= 400) return;
    const problem = `a key whose letters are in the other case: expected an error, got status ${status}`;
    fail(problem, "authentication.wrong-credentials");
  },
});

interface Credentials {
  readonly email: string;
  readonly api_key: string;
}

function encoded(email: string, key: string): string {
  return Buffer.from(`${email}:${key}`).toString("base64");
}
