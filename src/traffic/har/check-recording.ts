import { CouldNotRunError } from "../../base/could-not-run-error.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import { createTrafficJudge, type JudgeOptions, type TrafficContract } from "../judge/create-traffic-judge.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import { type HarExchange, readHar } from "./read-har.js";

/** The recording to check, and how. */
export interface CheckOptions extends JudgeOptions {
  readonly file: string;
  /** The URL of the server in the recording. Optional if the recording calls only one. */
  readonly url?: string;
}

/** How to find the server of a contract in a recording. */
export interface RecordedServer {
  /** The URL of the server, if an exchange is a call of the contract. */
  readonly urlOf: (one: HarExchange) => string | undefined;
  /** Completes and checks a URL that the user gave. */
  readonly parse: (url: string) => string;
  /** What to say after the name of the file if it has no call to a server of the contract. */
  readonly missing: string;
}

/** Judges the calls of a recording to one server by the contract that `create` returns for its URL. */
export async function checkRecording(
  options: CheckOptions,
  { urlOf, parse, missing }: RecordedServer,
  create: (url: string, exchanges: readonly RecordedExchange[]) => Promise<TrafficContract>,
): Promise<VerifyReport> {
  const { file } = options;
  const recorded = await readHar(file);
  const [url, ...others] =
    options.url === undefined ? new Set(recorded.flatMap((one) => urlOf(one) ?? [])) : [options.url];
  if (url === undefined) throw new CouldNotRunError(`The recording ${file} ${missing}`);
  if (others.length > 0) {
    const urls = [url, ...others].slice(0, 5).join(", ");
    throw new CouldNotRunError(`The recording ${file} has calls to several servers: ${urls}. Choose one with --url`);
  }
  const { origin } = new URL(parse(url));
  const exchanges = recorded.filter((one) => one.origin === origin).map(({ exchange }) => exchange);
  const judge = createTrafficJudge(await create(url, exchanges), options);
  for (const exchange of exchanges) await judge.observe(exchange);
  return judge.report();
}
