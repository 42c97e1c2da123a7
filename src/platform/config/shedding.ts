import { integer } from './setting.ts';

/** How late the process and the queue may be before nothing is created. */
export const SHEDDING_SETTINGS = {
  ALMANAC_SHED_LOOP_MS: integer(
    'Milliseconds that requests have waited for the event loop of the process on average, in the last five to ten seconds, beyond which new forecasts and uploads get 503. 0: no limit.',
    500,
    { min: 0, max: 60_000 },
  ),
  ALMANAC_SHED_QUEUE_SECONDS: integer(
    'Seconds that a ready forecast has waited for a worker, beyond which new forecasts of its plan that would run after it get 503. 0: no limit.',
    900,
    { min: 0, max: 86_400 },
  ),
};
