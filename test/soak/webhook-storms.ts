import { WEBHOOK_DATABASE } from '../support/notifications/webhook-scene.ts';
import { runWebhookStorm } from '../support/notifications/webhook-storm.ts';
import { availableKinds, openTestDatabase } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import type { Tally } from './kill-rounds.ts';

export interface WebhookStormsOptions {
  readonly deliveries: number;
  readonly kills: number;
  readonly seed: number;
  /** Default: every available kind of database. */
  readonly only?: string | undefined;
}

const WEBHOOKS = 8;

/** Sends webhooks to a receiver that fails in every way, from senders that are killed. Reports what was lost or repeated. */
export async function runWebhookStorms({ deliveries, kills, seed, only }: WebhookStormsOptions): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  for (const kind of availableKinds.filter((each) => only === undefined || only === each)) {
    await using fixture = await openTestDatabase(kind, WEBHOOK_DATABASE);
    const options = { webhooks: WEBHOOKS, events: Math.ceil(deliveries / WEBHOOKS), kills };
    const senders = kind === 'pglite' ? 1 : 2;
    const report = await runWebhookStorm(fixture, { ...options, senders, random: createSeededRandom(seed) });
    for (const violation of report.violations.slice(0, 50)) console.log(`webhooks on ${kind}: ${violation}`);
    const { requests, interrupted, violations } = report;
    console.log(
      `webhooks on ${kind}: ${report.deliveries} deliveries in ${requests} requests, ${kills} kills, ${interrupted} interrupted attempts, ${violations.length} violations`,
    );
    tally[violations.length === 0 ? 'passed' : 'failed'] += 1;
  }
  return tally;
}
