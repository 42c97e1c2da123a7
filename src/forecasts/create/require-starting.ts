import type { Account } from '../../access/index.ts';
import { type FoundMembership, requireAllowed } from '../../workspaces/index.ts';
import { asMaker } from '../as-maker.ts';
import type { NewForecast } from './start-forecast.ts';

/**
 * The caller's place in a workspace, if it lets the caller make this forecast there.
 *
 * @param place null: it has none
 */
export function requireStarting(
  principal: Account,
  place: FoundMembership | null,
  { visibility, reproduces }: Pick<NewForecast, 'visibility' | 'reproduces'>,
): FoundMembership {
  // Only who made a private forecast runs it again, and a list bounds neither of the two.
  const isOwnAgain = visibility === 'private' && reproduces !== null;
  return requireAllowed(principal, place && isOwnAgain ? asMaker(place) : place, 'forecast.create');
}
