import assert from 'node:assert/strict';
import { WEBHOOK_DATABASE } from '../support/notifications/webhook-scene.ts';
import { runWebhookStorm } from '../support/notifications/webhook-storm.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';

forEachDatabase(
  '200 deliveries reach a hostile receiver from a sender that is killed',
  WEBHOOK_DATABASE,
  async (fixture) => {
    const senders = fixture.database.kind === 'pglite' ? 1 : 2;
    const random = createSeededRandom(31);
    const report = await runWebhookStorm(fixture, { events: 25, webhooks: 8, kills: 1, senders, random });
    assert.deepEqual(report.violations, []);
    assert.ok(report.deliveries >= 200);
    assert.ok(report.requests > report.deliveries);
  },
);
