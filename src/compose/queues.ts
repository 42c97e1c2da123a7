import { ECONOMIC_LISTINGS_QUEUE } from '../datasets/index.ts';
import { ENGINE_VERSION } from '../engine/index.ts';
import { listForecastQueues, OUTCOME_QUEUE } from '../forecasts/index.ts';
import { MAIL_QUEUE } from '../identity/index.ts';
import { DAYS_QUEUE, LISTINGS_QUEUE } from '../market/index.ts';
import { WEBHOOK_QUEUE } from '../notifications/index.ts';
import type { QueueDefinition } from '../platform/index.ts';
import { STAMP_QUEUE } from '../provenance/index.ts';
import { SCOUT_QUEUE } from '../scout/index.ts';
import { SCREENER_QUEUE } from '../screener/index.ts';

/** The name is stored in the database, so it must not change. */
export const CLEANUP_QUEUE: QueueDefinition = { name: 'housekeeping', retryLimit: 0, policy: 'singleton' };

/** Returns the queues of a build with this version of the engine. */
export function listQueues(engine: string): readonly QueueDefinition[] {
  return [
    CLEANUP_QUEUE,
    MAIL_QUEUE,
    SCOUT_QUEUE,
    SCREENER_QUEUE,
    DAYS_QUEUE,
    LISTINGS_QUEUE,
    ECONOMIC_LISTINGS_QUEUE,
    STAMP_QUEUE,
    OUTCOME_QUEUE,
    WEBHOOK_QUEUE,
    ...listForecastQueues(engine),
  ];
}

export const QUEUES: readonly QueueDefinition[] = listQueues(ENGINE_VERSION);
