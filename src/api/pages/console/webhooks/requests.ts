import { Fault } from '../../../../contract/index.ts';
import { readField } from '../../forms.ts';
import type { SeeOther } from '../../visit.ts';
import { backTo } from '../account/frame.ts';
import { runOnce } from '../account/once.ts';
import type { ConsolePage } from '../document.ts';
import { attempt, toRefusal } from '../refusals.ts';
import { showWebhook } from './webhook-page.ts';
import { callAt, readWebhook, routesAt, type WebhookPlace, webhookParams, webhookPath } from './webhook-place.ts';

/** The button that sends a test event. A second click sends no second one. */
const testRoutes = routesAt('/:id/test', {
  post: (place) =>
    requestDelivery(place, { name: 'test', notice: 'webhook_tested' }, () =>
      callAt(place, 'test', { params: webhookParams(place) }),
    ),
});

/** The buttons that send the event of a delivery again. */
const replayRoutes = routesAt('/:id/replay', {
  post: (place) => {
    const delivery = readField(place.visit.form, 'delivery') ?? '';
    return requestDelivery(place, { name: `replay ${delivery}`, notice: 'webhook_replayed' }, () =>
      callAt(place, 'replay', { params: { ...webhookParams(place), delivery_id: delivery } }),
    );
  },
});

/** The button that turns a webhook on or off. */
const stateRoutes = routesAt('/:id/state', {
  post: async (place) => {
    const enabled = readField(place.visit.form, 'enabled') === 'on';
    const { id } = await callAt(place, 'update', { params: webhookParams(place), body: { enabled } });
    return backTo(place.visit, webhookPath(place, { id }), enabled ? 'webhook_on' : 'webhook_off');
  },
});

interface Requested {
  readonly name: string;
  readonly notice: 'webhook_tested' | 'webhook_replayed';
}

async function requestDelivery(
  place: WebhookPlace,
  { name, notice }: Requested,
  run: () => Promise<{ readonly id: string }>,
): Promise<ConsolePage | SeeOther> {
  const { visit, account } = place;
  const { webhook_id: id } = webhookParams(place);
  const form = `${account.credentialId} ${readField(visit.form, 'key') ?? ''} ${name}`;
  const sent = await attempt(() => runOnce(form, async () => ({ id: (await run()).id, name: null })));
  if (!(sent instanceof Fault)) return backTo(visit, webhookPath(place, { id }), notice);
  const webhook = await readWebhook(place);
  const refusal = toRefusal(sent);
  // The message of the operation states how a program turns it on.
  const isOff = sent.code === 'CONFLICT' && !webhook.enabled;
  return showWebhook(place, webhook, {
    refusal: isOff ? { ...refusal, message: 'The webhook is off. Turn it on first.' } : refusal,
  });
}

export const requestRoutes = [...testRoutes, ...replayRoutes, ...stateRoutes];
