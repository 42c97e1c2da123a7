import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { freeze } from '../../snapshots/index.ts';
import type { JobContext } from '../context.ts';
import { countCredits, limitsOf } from '../metering/index.ts';
import { ownerOf } from '../owner.ts';
import { acceptRequest, checkpointsOf } from './accept-request.ts';
import { findRepeated, rememberRequest, repeatableRequest } from './idempotency.ts';
import { type ForecastBody, readInput } from './read-input.ts';
import { startForecast } from './start-forecast.ts';
import { workspaceFor } from './workspace-for.ts';

export interface CreateOptions {
  readonly idempotencyKey: string | null;
  readonly signal?: AbortSignal | undefined;
}

/** Another request with the same key was first; its forecast is the answer. */
class RepeatedRequest extends Error {}

/**
 * Takes a request: reads and freezes its rows, and queues it with everything that belongs to it, or nothing.
 * @returns the id of the forecast
 */
export async function createForecast(
  context: JobContext,
  principal: Account | Guest,
  body: ForecastBody,
  { idempotencyKey, signal }: CreateOptions,
): Promise<string> {
  const { database, clock } = context;
  const owner = ownerOf(principal);
  const limits = limitsOf(principal);
  if (body.horizon > limits.horizon) {
    throw new Fault('INVALID_REQUEST', `horizon: may be ${limits.horizon} at most for you.`);
  }
  const repeatable = idempotencyKey === null ? null : repeatableRequest(owner.id, idempotencyKey, body);
  const before = repeatable && (await findRepeated(database, clock, repeatable));
  if (before) return before;

  const workspaceId = await workspaceFor(context, principal, body);
  const input = await readInput(context, principal, body, signal);
  const { settings, mostFolds } = acceptRequest(body, input, context.models);
  const snapshot = await freeze(context, { about: input.about, table: input.table });
  const credits = countCredits({ models: settings.models.length, rows: snapshot.rows, folds: mostFolds });
  try {
    return await database.transaction(async (tx) => {
      const id = await startForecast(context, tx, {
        owner,
        limits,
        workspaceId,
        visibility: body.visibility,
        title: body.title ?? null,
        subject: subjectOf(body),
        request: withoutPoints(body),
        settings,
        snapshotId: snapshot.id,
        checkpoints: checkpointsOf(settings.models),
        reproduces: null,
        credits,
      });
      if (repeatable && !(await rememberRequest(tx, clock, repeatable, id))) throw new RepeatedRequest();
      return id;
    });
  } catch (error) {
    // A slot or credits may be missing because the first of several such requests has just taken them.
    const mayHaveBeenSecond = error instanceof RepeatedRequest || error instanceof Fault;
    const first = repeatable && mayHaveBeenSecond && (await findRepeated(database, clock, repeatable));
    if (first) return first;
    throw error;
  }
}

function subjectOf({ source, horizon }: ForecastBody): string {
  if (source.type === 'market') return `${source.symbol} ${source.timeframe} ${horizon}`;
  return source.type === 'inline' ? 'forecast' : `${source.series_id} ${horizon}`;
}

/** The rows are in the snapshot. */
function withoutPoints(body: ForecastBody): object {
  return body.source.type === 'inline' ? { ...body, source: { type: 'inline' } } : body;
}
