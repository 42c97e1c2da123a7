import { waitFor } from '../../../test/support/forecasts/forecast-service.ts';
import { accept, type Receiver, replyWith } from '../../../test/support/notifications/receiver.ts';
import type { Scene } from './scene.ts';

const TYPES = ['forecast.completed', 'forecast.failed', 'event.resolved'];

/** Creates webhooks of an account and of a workspace. One of them is turned off by its receiver. */
export async function createWebhooks(scene: Scene, receiver: Receiver): Promise<void> {
  receiver.reply = (response, request) =>
    request.path === '/gone' ? replyWith(410, 'no longer here')(response, request) : accept(response, request);
  const create = async (name: string, path: string, fields: object) => {
    const body = { url: `${receiver.origin}/${name}`, ...fields };
    return scene.setId(`webhook:${name}`, (await scene.send<{ id: string }>('ada', 'POST', path, body)).id);
  };
  const own = '/v1/me/webhooks';
  const ofWorkspace = `/v1/workspaces/${scene.id('workspace')}/webhooks`;
  const kept = await create('account', own, { types: TYPES, name: 'Nightly report' });
  const gone = await create('gone', own, { types: TYPES });
  await create('workspace', ofWorkspace, { types: ['forecast.completed'] });
  await scene.send('ada', 'POST', `${own}/${kept}/rotate`);
  const tested = await scene.send<{ id: string }>('ada', 'POST', `${own}/${kept}/test`);
  await scene.send('ada', 'POST', `${own}/${gone}/test`);
  await waitForDeliveries(scene);
  await scene.send('ada', 'POST', `${own}/${kept}/deliveries/${tested.id}/replay`);
  await waitForDeliveries(scene);
}

/** Waits until no delivery waits for an attempt. */
export async function waitForDeliveries(scene: Scene): Promise<void> {
  type Deliveries = { readonly deliveries: readonly { readonly ended_at: string | null }[] };
  for (const path of ['/v1/me', `/v1/workspaces/${scene.id('workspace')}`]) {
    const { webhooks } = await scene.send<{ webhooks: readonly { id: string }[] }>('ada', 'GET', `${path}/webhooks`);
    for (const { id } of webhooks) {
      await waitFor(
        () => scene.send<Deliveries>('ada', 'GET', `${path}/webhooks/${id}/deliveries?limit=100`),
        ({ deliveries }) => deliveries.every(({ ended_at }) => ended_at !== null),
      );
    }
  }
}
