import { decideCaller } from '../access/index.ts';
import { areReadable } from '../forecasts/index.ts';
import { refreshPrincipals } from '../identity/index.ts';
import type { Watcher } from './open-streams.ts';
import type { ApiParts } from './parts.ts';

/**
 * Returns whether each watcher would still be admitted and may still read its forecast, in their order. Two statements
 * check all of them: one reads the credentials, the other the forecasts and memberships.
 */
export async function checkWatchers(
  { identity, database }: Pick<ApiParts, 'identity' | 'database'>,
  watchers: readonly Watcher[],
): Promise<boolean[]> {
  const principals = await refreshPrincipals(
    identity,
    watchers.map(({ principal }) => principal),
  );
  const admitted = watchers.flatMap(({ forecastId }, place) => {
    const principal = principals[place] ?? null;
    if (principal === null || !decideCaller(principal, 'forecast.read').allowed) return [];
    return [{ principal, forecastId, place }];
  });
  const readable = await areReadable(database, admitted);
  const allowed = new Set(admitted.filter((_, index) => readable[index]).map(({ place }) => place));
  return watchers.map((_, place) => allowed.has(place));
}
