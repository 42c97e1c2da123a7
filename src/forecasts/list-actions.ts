import { type Account, decideCaller, type Guest } from '../access/index.ts';
import { Fault, FORECAST_ACTIONS, type ForecastActionName } from '../contract/index.ts';
import type { ForecastContext } from './context.ts';
import { findForecastFacts, isOwner, requireAccess } from './find-forecast.ts';
import { canReproduce } from './reproduce-forecast.ts';

export interface AllowedActions {
  readonly id: string;
  readonly isOwn: boolean;
  readonly actions: readonly ForecastActionName[];
}

/**
 * Returns what a caller that may read a forecast may also do with it. An action that is listed can still be refused, for
 * example if credits are missing.
 */
export async function listForecastActions(
  context: Pick<ForecastContext, 'database'>,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<AllowedActions> {
  const facts = await findForecastFacts(context, principal, idOrSlug, 'forecast.read');
  const actions: ForecastActionName[] = [];
  for (const name of FORECAST_ACTIONS) {
    if (!decideCaller(principal, `forecast.${name}`).allowed) continue;
    const isAllowed =
      name === 'reproduce'
        ? await canReproduce(context, principal, facts.id)
        : await isAccessible(requireAccess(context.database, principal, `forecast.${name}`, facts));
    if (isAllowed) actions.push(name);
  }
  return { id: facts.id, isOwn: isOwner(principal, facts), actions };
}

/** Returns whether a check of access succeeds. */
function isAccessible(check: Promise<unknown>): Promise<boolean> {
  return check.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Fault) return false;
      throw error;
    },
  );
}
