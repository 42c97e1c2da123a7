import type { Receiver } from '../../../test/support/notifications/receiver.ts';
import { connectApplication, createAccounts, eraseAccount, PASSWORD } from './accounts.ts';
import { createEvents } from './events.ts';
import { createFeeds } from './feeds.ts';
import { createFilters } from './filters.ts';
import { createForecasts, IDEMPOTENT } from './forecasts.ts';
import type { Scene } from './scene.ts';
import { createWebhooks, waitForDeliveries } from './webhooks.ts';
import { createWorkspace, deleteWorkspace } from './workspaces.ts';

/** The secrets and the request that a later build must accept. */
export interface Accepted {
  readonly account: { readonly id: string; readonly email: string; readonly password: string };
  readonly oauth: { readonly client_id: string; readonly refresh_token: string };
  readonly idempotency: { readonly key: string; readonly body: object; readonly forecast_id: string };
}

/** Uses every kind of stored data once, through the service's API and its command line. */
export async function runScene(scene: Scene, receiver: Receiver): Promise<Accepted> {
  await createAccounts(scene);
  await createWorkspace(scene);
  await deleteWorkspace(scene);
  await createWebhooks(scene, receiver);
  await createForecasts(scene);
  await createEvents(scene);
  await createFilters(scene);
  await createFeeds(scene);
  await eraseAccount(scene);
  const oauth = await connectApplication(scene);
  await waitForDeliveries(scene);
  return {
    account: { id: scene.id('account:ada'), email: 'ada@example.org', password: PASSWORD },
    oauth,
    idempotency: { ...IDEMPOTENT, forecast_id: scene.forecasts.get('completed')?.id ?? '' },
  };
}
