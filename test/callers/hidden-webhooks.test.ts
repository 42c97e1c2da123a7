import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, type OperationId, operations } from '../../src/contract/index.ts';
import { type Caller, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { makeDelivery, makeWebhook } from '../support/notifications/make-webhook.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
let caller: Caller;
/** The workspace in the paths. Both it and the other one belong to the caller. */
let workspaceId: string;
/** The webhooks of the caller by the place that they belong to. */
let webhooks: Readonly<Record<'account' | 'workspace' | 'other workspace' | 'other account', string>>;

before(async () => {
  service = await openForecastService(testedKind);
  const { database } = service;
  caller = await service.account('enterprise');
  const accountId = caller.accountId ?? '';
  workspaceId = (await makeWorkspace(database, accountId)).id;
  const otherWorkspace = (await makeWorkspace(database, accountId)).id;
  const otherAccount = (await service.account()).accountId ?? '';
  webhooks = {
    account: await makeWebhook(database, { accountId }),
    workspace: await makeWebhook(database, { workspaceId }),
    'other workspace': await makeWebhook(database, { workspaceId: otherWorkspace }),
    'other account': await makeWebhook(database, { accountId: otherAccount }),
  };
});
after(() => service?.[Symbol.asyncDispose]());

const UNUSED = `whk_${'0'.repeat(26)}`;
const BODIES: Partial<Record<OperationId, object>> = {
  updateWebhook: { enabled: false },
  updateWorkspaceWebhook: { enabled: false },
};
const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

const onOne = Object.entries<Operation>(operations).filter(([, { path }]) => path.includes('{webhook_id}'));

async function send(id: OperationId, webhookId: string, deliveryId: string) {
  const operation: Operation = operations[id];
  const params: Readonly<Record<string, string>> = {
    workspace_id: workspaceId,
    webhook_id: webhookId,
    delivery_id: deliveryId,
  };
  const body = BODIES[id];
  const { statusCode, body: text } = await service.app.inject({
    method: operation.method,
    url: `/api${operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? '')}`,
    headers: { ...caller.credentials, 'x-request-id': REQUEST_ID },
    ...(body && { payload: body }),
  });
  return { status: statusCode, text };
}

for (const [name, { path }] of onOne) {
  const id = name as OperationId;
  const place = path.includes('{workspace_id}') ? 'workspace' : 'account';

  test(`${id}: hides webhooks of other places, even those of the caller`, async () => {
    const { database } = service;
    const missing = await send(id, UNUSED, await makeDelivery(database, webhooks[place]));
    assert.equal(missing.status, 404);
    const others = Object.entries(webhooks).filter(([other]) => other !== place);
    const cases = await Promise.all(
      others.map(async ([other, webhookId]) => ({
        other,
        webhookId,
        deliveryId: await makeDelivery(database, webhookId),
      })),
    );
    const untouched = await readTableVersions(database);
    for (const { other, webhookId, deliveryId } of cases)
      assert.deepEqual(await send(id, webhookId, deliveryId), missing, other);
    assert.deepEqual(await readTableVersions(database), untouched, 'a refused request changes nothing');
  });

  if (path.includes('{delivery_id}')) {
    test(`${id}: hides deliveries of other webhooks`, async () => {
      const missing = await send(id, webhooks[place], `dlv_${'0'.repeat(26)}`);
      assert.equal(missing.status, 404);
      for (const webhookId of Object.values(webhooks).filter((one) => one !== webhooks[place])) {
        const deliveryId = await makeDelivery(service.database, webhookId);
        assert.deepEqual(await send(id, webhooks[place], deliveryId), missing);
      }
    });
  }
}
