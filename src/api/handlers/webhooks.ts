import type { OperationId, Operations } from '../../contract/index.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  requireOwner,
  rotateSecret,
  testWebhook,
  updateWebhook,
  viewDelivery,
  viewWebhook,
  type WebhookKey,
  type WebhookPlace,
  type WebhookSecret,
} from '../../notifications/index.ts';
import { accountOf, type Call, type Handlers } from '../call.ts';
import { originOf } from '../limits/network.ts';

/** The handlers of the webhooks of accounts and of workspaces, which differ only in their path. */
export const webhookHandlers = {
  listWebhooks: (call) => list(call, {}),
  createWebhook: (call) => create(call, {}),
  readWebhook: (call) => read(call, keyOf(call.params)),
  updateWebhook: (call) => update(call, keyOf(call.params)),
  deleteWebhook: (call) => remove(call, keyOf(call.params)),
  testWebhook: (call) => test(call, keyOf(call.params)),
  rotateWebhook: (call) => rotate(call, keyOf(call.params)),
  listWebhookDeliveries: (call) => listSent(call, keyOf(call.params)),
  replayWebhookDelivery: (call) => replay(call, keyOf(call.params)),

  listWorkspaceWebhooks: (call) => list(call, { workspace: call.params.workspace_id }),
  createWorkspaceWebhook: (call) => create(call, { workspace: call.params.workspace_id }),
  readWorkspaceWebhook: (call) => read(call, keyOf(call.params)),
  updateWorkspaceWebhook: (call) => update(call, keyOf(call.params)),
  deleteWorkspaceWebhook: (call) => remove(call, keyOf(call.params)),
  testWorkspaceWebhook: (call) => test(call, keyOf(call.params)),
  rotateWorkspaceWebhook: (call) => rotate(call, keyOf(call.params)),
  listWorkspaceWebhookDeliveries: (call) => listSent(call, keyOf(call.params)),
  replayWorkspaceWebhookDelivery: (call) => replay(call, keyOf(call.params)),
} satisfies Partial<Handlers>;

type CallOf<Id extends OperationId> = Call<Operations[Id]>;

function keyOf(params: { readonly webhook_id: string; readonly workspace_id?: string }): WebhookKey {
  return { id: params.webhook_id, workspace: params.workspace_id };
}

async function list(call: CallOf<'listWebhooks' | 'listWorkspaceWebhooks'>, place: WebhookPlace) {
  const { database } = call.parts;
  const owner = await requireOwner(database, accountOf(call), place, 'read');
  return { webhooks: (await listWebhooks(database, owner)).map(viewWebhook) };
}

async function create(call: CallOf<'createWebhook' | 'createWorkspaceWebhook'>, place: WebhookPlace) {
  const { url, name = null, types } = call.body;
  const choice = { url, name, types, origin: originOf(call) };
  return viewWithSecret(await createWebhook(call.parts.webhooks, accountOf(call), place, choice));
}

async function read(call: CallOf<'readWebhook' | 'readWorkspaceWebhook'>, key: WebhookKey) {
  const { database } = call.parts;
  return viewWebhook(await findWebhook(database, await requireOwner(database, accountOf(call), key, 'read'), key.id));
}

async function update(call: CallOf<'updateWebhook' | 'updateWorkspaceWebhook'>, key: WebhookKey) {
  return viewWebhook(await updateWebhook(call.parts.webhooks, accountOf(call), key, call.body));
}

async function remove(call: CallOf<'deleteWebhook' | 'deleteWorkspaceWebhook'>, key: WebhookKey) {
  await deleteWebhook(call.parts.webhooks, accountOf(call), key, originOf(call));
  return { id: key.id, removed: true as const };
}

async function test(call: CallOf<'testWebhook' | 'testWorkspaceWebhook'>, key: WebhookKey) {
  return viewDelivery(await testWebhook(call.parts.webhooks, accountOf(call), key));
}

async function rotate(call: CallOf<'rotateWebhook' | 'rotateWorkspaceWebhook'>, key: WebhookKey) {
  return viewWithSecret(await rotateSecret(call.parts.webhooks, accountOf(call), key, originOf(call)));
}

async function listSent(call: CallOf<'listWebhookDeliveries' | 'listWorkspaceWebhookDeliveries'>, key: WebhookKey) {
  const { deliveries, nextCursor } = await listDeliveries(call.parts.webhooks, accountOf(call), key, call.query);
  return { deliveries: deliveries.map(viewDelivery), next_cursor: nextCursor };
}

async function replay(call: CallOf<'replayWebhookDelivery' | 'replayWorkspaceWebhookDelivery'>, key: WebhookKey) {
  const { delivery_id: deliveryId } = call.params;
  return viewDelivery(await replayDelivery(call.parts.webhooks, accountOf(call), key, deliveryId));
}

function viewWithSecret({ webhook, secret }: WebhookSecret) {
  return { ...viewWebhook(webhook), secret };
}
