import { type Membership, WHOLE_SCOPE } from '../access/index.ts';

/**
 * The place of a member before its own private forecasts. They are in no list, since a list is seen by others, so that
 * a list does not bound who made them; a place without any forecasts does.
 */
export function asMaker<Place extends Membership>(place: Place): Place {
  return place.forecasts.mode === 'none' ? place : { ...place, forecasts: WHOLE_SCOPE };
}
