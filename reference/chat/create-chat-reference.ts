import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { type Listening, type ListenOptions, listen } from "../../src/base/listen.js";
import { formatEnvelope } from "../../src/chat/server/error-envelope.js";
import { isOperationPresent } from "../../src/chat/server/feature-level.js";
import { createChatService } from "../../src/chat/server/index.js";
import { createEnvelopeServer } from "../../src/http/envelope-server.js";
import { defaultBodyLimits } from "../../src/server/rest/read-body.js";
import { createLogger } from "../logging/create-logger.js";
import { DataFolderError } from "../storage/errors.js";
import { authorize, createAuthenticate } from "./authentication.js";
import { type Clock, systemClock } from "./clock.js";
import { createRequestListener, type Logger, type Parts } from "./create-request-listener.js";
import { createScheduler } from "./delivery/create-scheduler.js";
import { createHandlers } from "./handlers.js";
import { type Admission, createAdmission } from "./http/admission.js";
import { createPageAccess } from "./http/page-access.js";
import { createRateLimit, createSharedRateLimit, type RateLimit } from "./http/rate-limit.js";
import { behaviourAt } from "./level-behaviour.js";
import { refusalOf, refuseFaults } from "./refusals.js";
import type { Caller, Services } from "./services.js";
import { createStates } from "./states/create-states.js";
import { openSqlite } from "./storage/sqlite/open-sqlite.js";
import type { ChatDatabase } from "./storage/transactions.js";
import { removeUnusedUploads } from "./uploads/housekeeping.js";
import { createServeUpload } from "./uploads/serve-upload.js";

/** Options of a reference server of the chat service. */
export interface ChatReferenceOptions extends ListenOptions {
  /** The data folder. Without one, data is in a temporary folder, which is removed on exit. */
  readonly dataFolder?: string;
  /** The URL of a PostgreSQL database, which any number of servers share, instead of a data folder. */
  readonly databaseUrl?: string;
  /** Serves `POST /states`, which creates organizations for tests. Defaults to false. */
  readonly states?: boolean;
  /** Defaults to the newest level of the contract. */
  readonly featureLevel?: number;
  /** Origins of pages that may call the server, besides pages from this machine, such as `https://ui.example.org`. */
  readonly origins?: readonly string[];
  /** Maximum requests per second of each user. Defaults to no limit. */
  readonly rateLimit?: number;
  /** Validates every response against the contract; an invalid one becomes status 500. */
  readonly validateResponses?: boolean;
  /** Defaults to a silent logger. */
  readonly logger?: Logger;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
}

/** A listening reference server. */
export interface ChatReference extends Listening {
  /** URL that sets up provider states. */
  readonly statesUrl: string;
  readonly services: Services;
}

/**
 * Starts the reference implementation of the chat service.
 *
 * Rejects with a `DataFolderError` or `DatabaseError` if the data folder or database cannot be used, a `ListenError` if the address is unavailable, or a `RangeError` for an invalid feature level.
 */
export async function createChatReference(options: ChatReferenceOptions = {}): Promise<ChatReference> {
  const { dataFolder, databaseUrl, logger = createLogger("silent") } = options;
  const opened: { readonly close: () => void | Promise<void> }[] = [];
  const release = async () => {
    for (const { close } of opened.splice(0).reverse()) await close();
  };
  try {
    const transactions = databaseUrl === undefined ? openSqlite(dataFolder) : await openPostgresLazily(databaseUrl);
    opened.push(transactions);
    const spool = openSpool(dataFolder);
    opened.push(spool);
    const { clock = systemClock } = options;
    const behaviour = behaviourAt(options.featureLevel ?? newestLevel);
    const basis: Services = {
      ...{ database: transactions.database, transactions, clock, behaviour },
      reschedule: () => {},
      afterCommit: (effect) => void Promise.resolve().then(effect),
    };
    const scheduler = createScheduler({
      services: basis,
      housekeeping: (signal) => removeUnusedUploads(basis, signal),
      onFault: (error) => logger.fault(error, "due"),
    });
    opened.push(scheduler);
    const services: Services = { ...basis, reschedule: scheduler.reschedule };
    const server = createEnvelopeServer(
      createListener(services, { ...options, logger, spoolFolder: spool.folder }),
      formatEnvelope,
    );
    if (dataFolder !== undefined && !(await transactions.hasRoom(0))) {
      logger.warn(
        `${dataFolder} is on an almost full disk: the server refuses uploads, and other writes that do not fit`,
      );
    }
    scheduler.reschedule();
    const { url, close } = await listen(server, options);
    return { url, statesUrl: `${url}/states`, services, close: () => close().finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

function createListener(
  services: Services,
  { logger, spoolFolder, ...options }: ChatReferenceOptions & { readonly logger: Logger; readonly spoolFolder: string },
): RequestListener {
  const { database } = services;
  const { featureLevel = newestLevel, rateLimit, validateResponses = false } = options;
  const authenticate = refusing(createAuthenticate(database));
  const limit = rateLimit === undefined ? undefined : refusing(createLimit(rateLimit, services));
  const admit = createAdmission(authenticate, limit);
  const chat = createChatService<Caller>({
    handlers: refuseFaults(createHandlers(services), logger.fault),
    authenticate,
    authorize: async (operationId, caller) => (await limit?.(caller.user)) ?? authorize(operationId, caller),
    featureLevel,
    validateResponses,
    // Keeps one caller from taking all connections to the database, but lets several writes of theirs share a commit.
    memory: { maxHandlersPerCaller: 8 },
    onError: logger.fault,
    limits: { ...defaultBodyLimits, spoolFolder },
  });
  return createRequestListener({
    chat,
    uploads: createServeUpload(services, admit),
    ...(isOperationPresent("createResumableUpload", featureLevel) ? { tus: createLazyTusServer(services, admit) } : {}),
    pages: createPageAccess(options.origins),
    ...(options.states ? { states: createStates(services) } : {}),
    logger,
  });
}

/** Opens the folder of files that are being received, and empties it. */
function openSpool(dataFolder: string | undefined) {
  const folder = dataFolder === undefined ? mkdtempSync(join(tmpdir(), "accord-spool-")) : join(dataFolder, "spool");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    remove();
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw new DataFolderError(`${folder} cannot be used as a folder for uploads: ${(error as Error).message}`);
  }
  return { folder, close: remove };
}

/** Loads the driver only for servers that need it. */
async function openPostgresLazily(url: string): Promise<ChatDatabase> {
  const { openPostgres } = await import("./storage/postgres/open-postgres.js");
  return openPostgres(url);
}

function createLimit(perSecond: number, { transactions: { engine, database }, clock }: Services): RateLimit {
  // A data folder has only one server, so that server can count in memory.
  return engine === "sqlite" ? createRateLimit(perSecond, clock) : createSharedRateLimit(perSecond, database);
}

/** Wraps a function so that it refuses a call that fails because of the disk or the database. */
function refusing<Input, Result>(ask: (input: Input) => Promise<Result>): (input: Input) => Promise<Result> {
  return (input) =>
    ask(input).catch((error: unknown) => {
      throw refusalOf(error) ?? error;
    });
}

/** Loads the tus library on first use: few clients need it, and loading it takes a tenth of the start-up time. */
function createLazyTusServer(services: Services, admit: Admission): NonNullable<Parts["tus"]> {
  let made: Promise<NonNullable<Parts["tus"]>> | undefined;
  return async (request, response) => {
    made ??= import("./uploads/create-tus-server.js").then(({ createTusServer }) => createTusServer(services, admit));
    return (await made)(request, response);
  };
}
