import { z } from 'zod';
import type { Action } from './actions.ts';
import type { ErrorCode } from './error-catalog.ts';
import { identifier, text } from './fields.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { WEBHOOK_EVENT_TYPES } from './vocabulary.ts';
import { MAX_WEBHOOKS, Webhook, WebhookDelivery, WebhookWithSecret } from './webhook-views.ts';

/** Maximum number of characters of a URL. */
const MAX_URL = 2_000;

const fields = {
  url: text({ max: MAX_URL }).describe(
    'The URL that receives the events. It must use https, and lead to the public internet unless the operator allowed its address. It must not contain a user, a password or a fragment.',
  ),
  name: name({ max: 100 }).nullable().describe('A name by which you recognize the webhook.'),
  types: z
    .array(z.enum(WEBHOOK_EVENT_TYPES))
    .min(1)
    .max(WEBHOOK_EVENT_TYPES.length)
    .refine((list) => new Set(list).size === list.length, { error: 'must not contain a type twice' })
    .describe('The types of events to send. The credential needs the scope that reads them.'),
};

const WebhookBody = z
  .strictObject({ url: fields.url, name: fields.name.optional(), types: fields.types })
  .meta({ id: 'WebhookBody' });

const WebhookChange = z
  .strictObject({
    url: fields.url.optional(),
    name: fields.name.optional(),
    types: fields.types.optional(),
    enabled: z.boolean().optional().describe('Turns the webhook on or off.'),
  })
  .refine((body) => Object.keys(body).length > 0, { error: 'must have at least one field' })
  .meta({ id: 'WebhookChange' });

const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: text({ max: 500 }).optional(),
});

const deliveries = resource(
  z.strictObject({ deliveries: z.array(WebhookDelivery), next_cursor: z.string().nullable() }),
);

const CREATE = `Returns the webhook with its secret. Each event is sent by POST as JSON with the headers of Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). A request that gets no 2xx status within 10 seconds is repeated over three days. There can be ${MAX_WEBHOOKS} webhooks.`;
const CHANGE =
  'Changes the fields that the body has. Turning a webhook on forgets its failures. Events that happen while it is off are not sent later.';
const DELETE = 'Takes effect immediately: no further attempt is made, and the deliveries are removed.';
const TEST = `Queues one attempt to send an event of the type \`webhook.test\`, also while the webhook is off.`;
const ROTATE =
  'Returns a new secret. For 24 hours, requests are signed with the new and the previous secret; any older secret ends immediately.';
const DELIVERIES =
  'Lists the deliveries of at least the last 30 days with their attempts, newest first. An attempt that runs now is not listed.';
const REPLAY =
  'Sends an event again, as a new delivery with the same event id and the same body. The earlier delivery must have ended.';

const listed = resource(z.strictObject({ webhooks: z.array(Webhook) }));

/** Where the operations on one kind of webhooks are: those of the account, or those of a workspace. */
interface Place<Path, One, OneDelivery> {
  /** Without the slash at its beginning. */
  readonly path: Path;
  readonly actions: { readonly read: Action; readonly write: Action };
  readonly one: One;
  readonly oneDelivery: OneDelivery;
  /** The errors of every operation. */
  readonly errors: readonly ErrorCode[];
}

/** Returns the operations on one webhook. */
function operationsOnOne<const Path extends string, One extends z.ZodObject, OneDelivery extends z.ZodObject>({
  path,
  actions,
  one,
  oneDelivery,
  errors,
}: Place<Path, One, OneDelivery>) {
  const base = `/${path}/{webhook_id}` as const;
  const read = { group: 'Webhooks', method: 'GET', action: actions.read, params: one } as const;
  const write = { group: 'Webhooks', action: actions.write, params: one } as const;
  return {
    read: operation({
      ...read,
      path: base,
      summary: 'Read a webhook',
      status: 200,
      reply: resource(Webhook),
      errors,
    }),
    update: operation({
      ...write,
      method: 'PATCH',
      path: base,
      summary: 'Update a webhook',
      description: CHANGE,
      body: WebhookChange,
      status: 200,
      reply: resource(Webhook),
      errors,
    }),
    remove: operation({
      ...write,
      method: 'DELETE',
      path: base,
      summary: 'Delete a webhook',
      description: DELETE,
      status: 200,
      reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
      errors,
    }),
    test: operation({
      ...write,
      method: 'POST',
      path: `${base}/test`,
      summary: 'Test a webhook',
      description: TEST,
      weight: 5,
      status: 202,
      reply: resource(WebhookDelivery),
      errors: [...errors, 'LIMIT_REACHED'],
    }),
    rotate: operation({
      ...write,
      method: 'POST',
      path: `${base}/rotate`,
      summary: 'Rotate the secret of a webhook',
      description: ROTATE,
      status: 200,
      reply: resource(WebhookWithSecret),
      errors,
    }),
    listDeliveries: operation({
      ...read,
      path: `${base}/deliveries`,
      summary: 'List the deliveries of a webhook',
      description: DELIVERIES,
      query: page,
      status: 200,
      reply: deliveries,
      errors,
    }),
    replay: operation({
      ...write,
      method: 'POST',
      path: `${base}/deliveries/{delivery_id}/replay`,
      params: oneDelivery,
      summary: 'Replay a delivery',
      description: REPLAY,
      weight: 5,
      status: 202,
      reply: resource(WebhookDelivery),
      errors: [...errors, 'CONFLICT', 'LIMIT_REACHED'],
    }),
  };
}

const webhook = { webhook_id: identifier() };
const delivery = { delivery_id: identifier() };
const workspace = { workspace_id: identifier() };

const OWN_PATH = 'v1/me/webhooks';
const ofAccount = operationsOnOne({
  path: OWN_PATH,
  actions: { read: 'webhooks.read', write: 'webhooks.write' },
  one: z.strictObject(webhook),
  oneDelivery: z.strictObject({ ...webhook, ...delivery }),
  errors: ['NOT_FOUND'],
});

const SHARED_PATH = 'v1/workspaces/{workspace_id}/webhooks';
const ofWorkspace = operationsOnOne({
  path: SHARED_PATH,
  actions: { read: 'workspace_webhooks.read', write: 'workspace_webhooks.write' },
  one: z.strictObject({ ...workspace, ...webhook }),
  oneDelivery: z.strictObject({ ...workspace, ...webhook, ...delivery }),
  errors: ['WORKSPACE_DENIED', 'NOT_FOUND'],
});

export const webhookOperations = {
  listWebhooks: operation({
    group: 'Webhooks',
    method: 'GET',
    path: `/${OWN_PATH}`,
    action: 'webhooks.read',
    summary: 'List webhooks',
    description: 'Lists the webhooks of the account, oldest first, without their secrets.',
    status: 200,
    reply: listed,
  }),
  createWebhook: operation({
    group: 'Webhooks',
    method: 'POST',
    path: `/${OWN_PATH}`,
    action: 'webhooks.write',
    summary: 'Create a webhook',
    description: `Creates a webhook for the events of the account: its own forecasts, events and filters. ${CREATE}`,
    body: WebhookBody,
    status: 201,
    reply: resource(WebhookWithSecret),
    errors: ['LIMIT_REACHED'],
  }),
  readWebhook: ofAccount.read,
  updateWebhook: ofAccount.update,
  deleteWebhook: ofAccount.remove,
  testWebhook: ofAccount.test,
  rotateWebhook: ofAccount.rotate,
  listWebhookDeliveries: ofAccount.listDeliveries,
  replayWebhookDelivery: ofAccount.replay,
  listWorkspaceWebhooks: operation({
    group: 'Webhooks',
    method: 'GET',
    path: `/${SHARED_PATH}`,
    action: 'workspace_webhooks.read',
    params: z.strictObject(workspace),
    summary: 'List webhooks of a workspace',
    description:
      'Lists the webhooks of a workspace, oldest first, without their secrets. Requires the permission workspace.update.',
    status: 200,
    reply: listed,
    errors: ['WORKSPACE_DENIED'],
  }),
  createWorkspaceWebhook: operation({
    group: 'Webhooks',
    method: 'POST',
    path: `/${SHARED_PATH}`,
    action: 'workspace_webhooks.write',
    params: z.strictObject(workspace),
    summary: 'Create a webhook of a workspace',
    description: `Creates a webhook for the forecasts and events of a workspace, except private ones of its members. Requires the permission workspace.update. ${CREATE}`,
    body: WebhookBody,
    status: 201,
    reply: resource(WebhookWithSecret),
    errors: ['WORKSPACE_DENIED', 'LIMIT_REACHED'],
  }),
  readWorkspaceWebhook: ofWorkspace.read,
  updateWorkspaceWebhook: ofWorkspace.update,
  deleteWorkspaceWebhook: ofWorkspace.remove,
  testWorkspaceWebhook: ofWorkspace.test,
  rotateWorkspaceWebhook: ofWorkspace.rotate,
  listWorkspaceWebhookDeliveries: ofWorkspace.listDeliveries,
  replayWorkspaceWebhookDelivery: ofWorkspace.replay,
};
