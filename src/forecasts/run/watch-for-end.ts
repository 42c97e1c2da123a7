import { type Executor, untraced } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';
import type { TakenForecast } from './take-forecast.ts';

/** Well within the second in which a canceled forecast must stop. */
const LOOK_EVERY_MS = 400;

export interface Watched extends AsyncDisposable {
  /** Aborted when `limit` is, and when somebody else has ended the forecast or taken it. */
  readonly signal: AbortSignal;
  /** Whether somebody else has. */
  hasEnded(): boolean;
}

/** Looks from time to time whether an attempt still has its forecast. */
export function watchForEnd(executor: Executor, forecast: TakenForecast, limit: AbortSignal): Watched {
  const gone = new AbortController();
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const row = await executor
        .query<JobTables>()
        .selectFrom('forecast')
        .select(['status', 'attempt'])
        .where('id', '=', forecast.id)
        .executeTakeFirst();
      if (row?.status !== 'running' || row.attempt !== forecast.attempt)
        gone.abort(new Error('The forecast has ended.'));
    } catch {
      // A database that cannot be asked just now says nothing about the forecast.
    }
  };
  const timer = setInterval(() => {
    looking = untraced(look);
  }, LOOK_EVERY_MS);
  return {
    signal: AbortSignal.any([limit, gone.signal]),
    hasEnded: () => gone.signal.aborted,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };
}
