import type { SomeExamples } from './example.ts';

const URL = 'https://example.com/hooks/almanac';
const TYPES = ['forecast.completed', 'forecast.failed'] as const;

const byId = { params: { webhook_id: '{{webhook_id}}' } } as const;
const byDelivery = { params: { ...byId.params, delivery_id: '{{delivery_id}}' } } as const;
const byWorkspace = { params: { workspace_id: '{{workspace_id}}' } } as const;
const byIds = { params: { ...byWorkspace.params, webhook_id: '{{workspace_webhook_id}}' } } as const;
const byIdsOfDelivery = { params: { ...byIds.params, delivery_id: '{{workspace_delivery_id}}' } } as const;

/** The webhooks of the account and of a workspace. */
export const WEBHOOK_EXAMPLES = {
  createWebhook: {
    body: { url: URL, name: 'Nightly report', types: [...TYPES] },
    keeps: { webhook_id: 'data.id' },
  },
  listWebhooks: {},
  readWebhook: byId,
  updateWebhook: { ...byId, body: { types: [...TYPES, 'forecast.outcome'] } },
  testWebhook: { ...byId, keeps: { delivery_id: 'data.id' } },
  listWebhookDeliveries: { ...byId, query: { limit: 3 } },
  replayWebhookDelivery: byDelivery,
  rotateWebhook: byId,
  deleteWebhook: byId,

  createWorkspaceWebhook: {
    ...byWorkspace,
    body: { url: URL, types: ['forecast.completed', 'event.resolved'] },
    keeps: { workspace_webhook_id: 'data.id' },
  },
  listWorkspaceWebhooks: byWorkspace,
  readWorkspaceWebhook: byIds,
  updateWorkspaceWebhook: { ...byIds, body: { name: 'Demand planning' } },
  testWorkspaceWebhook: { ...byIds, keeps: { workspace_delivery_id: 'data.id' } },
  listWorkspaceWebhookDeliveries: { ...byIds, query: { limit: 3 } },
  replayWorkspaceWebhookDelivery: byIdsOfDelivery,
  rotateWorkspaceWebhook: byIds,
  deleteWorkspaceWebhook: byIds,
} as const satisfies SomeExamples;
