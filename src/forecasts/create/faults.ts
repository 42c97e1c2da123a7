import { Fault } from '../../contract/index.ts';

/** @param retryAfter the seconds after which a request may succeed */
export function serviceLate(reason: 'queue' | 'event_loop', retryAfter: number): Fault {
  const cause =
    reason === 'queue' ? 'Forecasts of this plan wait too long for a worker' : 'The service has too much to do';
  const message = `${cause}, so nothing was created. Reading, canceling and deleting work. Try again in ${retryAfter} seconds.`;
  return new Fault('UNAVAILABLE', message, { retryAfter });
}
