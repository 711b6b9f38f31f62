import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/base/parse-url.js";
import { ofFamily } from "../../fault.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { reads, type WholeContent } from "../changed-handlers.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";
import { changesFetchErrors } from "../fetch-errors.js";

/** Wrong or missing requests for subscriptions. */
export const fetchingFaults: readonly DaemonFault[] = ofFamily("fetching", [
  fault("query-not-sent", "fetches a subscription without the query of its URL")
    .breaks("url-fetching.whole-url")
    .fetches((url) => {
      url.search = "";
    }),
  fault(
    "query-rewritten",
    "rewrites the query of a URL before it fetches it, so that a token without a key gets an equals sign",
  )
    .breaks("url-fetching.whole-url")
    .fetches((url) => {
      url.search = String(url.searchParams);
    }),
  fault("password-not-sent", "does not send the user name and password of a URL")
    .breaks("url-fetching.credentials")
    .fetches((url) => {
      Object.assign(url, { username: "", password: "" });
    }),
  fault("password-sent-to-other-host", "sends user name and password to the host of a redirect")
    .breaks("url-fetching.redirects")
    .by(followsWithPassword()),
  fault("content-never-refreshed", "reads the content of a URL once and never fetches it again")
    .breaks("url-fetching.every-call")
    .by(cached()),
  fault(
    "reimport-fetches-first-url",
    "fetches the URL of the first import again when another is imported into the same network",
  )
    .breaks("apply-import.counts-nodes")
    .checkedBy("case apply-other-url")
    .networks(({ apply }) => {
      const urls = new Map<number, string>();
      return {
        apply: async (request, context) => {
          const url = urls.get(request.id) ?? request.url;
          const reply = await apply({ ...request, url }, context);
          urls.set(reply.id, url);
          return reply;
        },
      };
    }),
  fault("third-redirect-refused", "follows at most two redirects")
    .breaks("url-fetching.redirect-limit")
    .checkedBy("case fetch-redirected-thrice")
    .by(followsFew(2)),
  fault("redirects-without-limit", "follows the redirects of a loop until its time limit")
    .breaks("url-fetching.redirect-limit")
    .checkedBy("case fetch-redirected-without-end")
    .by(otherCode("The host redirects too often", Code.DeadlineExceeded)),
  fault("endless-content-cut", "imports the beginning of endless content")
    .breaks("url-fetching.limits")
    .checkedBy("case fetch-endless-content")
    .by(readsBeginning()),
  fault("endless-content-internal", "returns INTERNAL for endless content")
    .breaks("url-fetching.limits")
    .checkedBy("case fetch-endless-content")
    .by(otherCode("The subscription is too large", Code.Internal)),
  fault("slow-content-awaited", "waits for slow content without a time limit")
    .breaks("url-fetching.limits")
    .checkedBy("case fetch-slow-content")
    .by({ fetchTimeoutMs: 60_000, callTimeoutMs: 4_000 }),
  fault("broken-compression-internal", "returns INTERNAL when content cannot be decompressed")
    .breaks("url-fetching.compression")
    .by(otherCode("The answer of the host cannot be decompressed", Code.Internal)),
]);

/** Gives another code to errors whose message begins with a text. */
function otherCode(text: string, code: Code): DaemonBehaviour {
  return changesFetchErrors(({ error }) =>
    error.rawMessage.startsWith(text) ? new ConnectError(error.rawMessage, code) : error,
  );
}

function followsFew(maxRedirects: number): DaemonBehaviour {
  return {
    imports: (honest) => async (text, signal, collector) => {
      let url = text;
      for (let redirects = 0; ; redirects++) {
        const { headers } = await fetch(url, { redirect: "manual", signal });
        const location = headers.get("location");
        if (location === null) return honest(url, signal, collector);
        if (redirects === maxRedirects) throw new ConnectError("The host redirects too often", Code.Unavailable);
        url = new URL(location, url).href;
      }
    },
  };
}

function readsBeginning(): DaemonBehaviour {
  return {
    imports: (honest) => (url, signal, collector) =>
      honest(url, signal, collector).catch((error) => {
        if (ConnectError.from(error).code !== Code.ResourceExhausted) throw error;
        return collector.finish({ suggestedName: "Woodgrove", format: "uri-list" });
      }),
  };
}

const maxDetourMs = 5_000;

/** Follows one redirect with `Authorization`, as clients do that set the header by hand. */
function followsWithPassword(): DaemonBehaviour {
  return {
    imports: (honest) => async (text, signal, collector) => {
      const url = parseUrl(text);
      if (url !== undefined) {
        const detour = followWithPassword(url, AbortSignal.any([signal, AbortSignal.timeout(maxDetourMs)]));
        // A host that cannot be fetched gets the usual error.
        await Promise.race([detour.catch(() => {}), sleep(maxDetourMs)]);
      }
      return honest(text, signal, collector);
    },
  };
}

async function followWithPassword(url: URL, signal: AbortSignal): Promise<void> {
  const { username, password } = url;
  if (username === "") return;
  Object.assign(url, { username: "", password: "" });
  const headers = { authorization: `Basic ${btoa(decodeURIComponent(`${username}:${password}`))}` };
  const { headers: response } = await fetch(url, { headers, redirect: "manual", signal });
  const location = response.get("location");
  if (location !== null) await fetch(new URL(location, url), { headers, redirect: "manual", signal });
}

function cached(): DaemonBehaviour {
  return {
    imports: (honest) => {
      const contents = new Map<string, WholeContent>();
      const remembering = reads((content, url) => {
        contents.set(url, content);
        return content;
      });
      const fetching = remembering.imports(honest);
      return async (url, signal, collector) => {
        const known = contents.get(url);
        if (known === undefined) return fetching(url, signal, collector);
        collector.add(known);
        return collector.finish(known.about);
      };
    },
  };
}
