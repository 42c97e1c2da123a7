import { Fault } from '../../contract/index.ts';
import type { JobContext } from '../context.ts';
import type { JobTables } from '../tables.ts';
import { type StartedView, viewStarted } from '../view-forecast.ts';

/**
 * What the one who asked for a forecast is answered: the forecast as it was made. A repeat gets the same, whatever has
 * become of the forecast, and even if it belongs to somebody else by now: this says nothing that was not said before.
 */
export async function firstAnswer({ database }: Pick<JobContext, 'database'>, id: string): Promise<StartedView> {
  const made = await database
    .query<JobTables>()
    .selectFrom('forecast')
    .select(['id', 'slug', 'settings'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (made === undefined) throw new Fault('NOT_FOUND', 'The forecast was removed in the meantime.');
  const progress = { completed_models: 0, total_models: made.settings.models.length, current_model: null };
  return viewStarted({ ...made, status: 'queued', progress });
}
