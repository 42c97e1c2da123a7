import { sql } from 'kysely';
import { openFoundation } from '../../src/compose/index.ts';
import { SCOPES } from '../../src/contract/index.ts';
import { createAccount, createApiKey } from '../../src/identity/index.ts';
import { createLog, type Database } from '../../src/platform/index.ts';
import { insertEvents } from '../../src/scout/events/store-events.ts';
import type { Environment } from '../../test/support/cli/almanac-process.ts';
import { emptyPostgres, preparedFolder, type Service, startService } from '../../test/support/cli/service.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';
import { NO_STAMPS } from '../../test/support/scout/events.ts';

export type Kind = 'pglite' | 'postgres';

/** A caller with its own API key. */
export interface Caller {
  /** Sends a request. Returns the status, the time until the whole response had arrived, and its data. */
  send(path: string, body?: object | string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly data: Record<string, unknown>;
  /** Seconds to wait, if the request was refused. */
  readonly retryAfter: number;
}

export interface FairnessService extends AsyncDisposable {
  /** Two accounts of the plan pro, with the limits of a default installation. */
  readonly greedy: Caller;
  readonly bystander: Caller;
}

/** Starts the real service with API and worker on a fresh database. */
export async function startFairnessService(kind: Kind): Promise<FairnessService> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await preparedFolder());
  const server = kind === 'postgres' ? open.use(await emptyPostgres()) : null;
  const [greedy, bystander] = await makeKeys({
    ALMANAC_DATA: folder.data,
    ...(server && { DATABASE_URL: server.url }),
  });
  const service = open.use(
    await startService({
      data: folder.data,
      ...(server && { databaseUrl: server.url }),
      environment: { ALMANAC_LOG_LEVEL: 'warn' },
    }),
  );
  const kept = open.move();
  return {
    greedy: callerOf(service, greedy),
    bystander: callerOf(service, bystander),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function callerOf(service: Service, key: string): Caller {
  return {
    async send(path, body) {
      const isFile = typeof body === 'string';
      const headers = { 'content-type': isFile ? 'text/csv' : 'application/json' };
      const sent = body !== undefined && { method: 'POST', headers, body: isFile ? body : JSON.stringify(body) };
      const startedAt = performance.now();
      const response = await service.fetch(`/api${path}`, { key, ...sent });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      return {
        status: response.status,
        ms: performance.now() - startedAt,
        data: (isJson ? (JSON.parse(text) as { data?: Record<string, unknown> }).data : undefined) ?? {},
        retryAfter: Number(response.headers.get('retry-after') ?? 0),
      };
    },
  };
}

async function makeKeys(environment: Environment): Promise<[string, string]> {
  const { database, identity } = await openFoundation(loadTestConfig(environment), createLog('warn'));
  const makeKey = async (name: string): Promise<string> => {
    const { id } = await createAccount(identity, { email: `${name}@example.org`, plan: 'pro', verified: true });
    if (name === 'greedy') await addScoredQuestions(database, id);
    return (await createApiKey(identity, { accountId: id, name, scopes: SCOPES })).key;
  };
  try {
    return [await makeKey('greedy'), await makeKey('bystander')];
  } finally {
    await database.close();
  }
}

const QUESTIONS = 2_000;
const GROUPS = 50;
const DAY_MS = 86_400_000;

/** Stores public questions with scores, so that scoreboards have something to compute. */
async function addScoredQuestions(database: Database, authorId: string): Promise<void> {
  const now = new Date();
  const events = Array.from({ length: QUESTIONS }, (_, index) => ({
    slug: `question-${index}`,
    authorId,
    workspaceId: null,
    visibility: 'public' as const,
    category: 'earnings' as const,
    entity: { type: 'company', name: `Company ${index % GROUPS}`, ticker: '' },
    question: `Will company ${index % GROUPS} beat the consensus ${index}?`,
    headline: 'It beats the consensus',
    probability: 0.7,
    inputCutoffAt: now,
    deadline: new Date(now.getTime() + 30 * DAY_MS),
    model: null,
    rule: null,
    origin: null,
  }));
  for (let at = 0; at < QUESTIONS; at += 500) {
    await database.transaction((tx) => insertEvents(tx, events.slice(at, at + 500), { stamps: NO_STAMPS, now }));
  }
  await sql`
    UPDATE event_forecast
    SET status = CASE WHEN right(slug, 1) IN ('0', '5', '9') THEN 'resolved_no' ELSE 'resolved_yes' END,
      resolved_at = now(), resolved_by = 'author', actual_outcome = 'Known.', resolution_source = 'The report',
      next_check_at = NULL, outcome_known_at = now(), scored_revision = 1, scored_probability = 0.7,
      log_score = -0.36, brier_score = 0.09
  `.execute(database.query());
}
