import type { OperationId } from '../../src/contract/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { makeDelivery, makeWebhook } from '../support/notifications/make-webhook.ts';
import { type Answers, accountsWith, verifiedWith } from './answers.ts';
import { type Cell, ofOwner, type Request, type Row } from './row.ts';

/** A browser session of a free account may do everything else, but a request that makes the service send is API access. */
const sending = (success: number): Answers => ({
  ...accountsWith('webhooks:write', success),
  'free account by session': '403 PLAN_REQUIRED',
});
const reading: Answers = accountsWith('webhooks:read', 200);
const writing: Answers = accountsWith('webhooks:write', 200);

const readingInWorkspace: Answers = { ...reading, ...ofOwner(200) };
const writingInWorkspace: Answers = { ...writing, ...ofOwner(200) };
const sendingFromWorkspace = (success: number): Answers => ({ ...sending(success), ...ofOwner(success) });

/** The events of forecasts also require the scope with which forecasts are read. */
const WITHOUT_SCOPE_OF_TYPE = { 'pro key with webhooks:write only': '403 SCOPE_DENIED' } as const;

const NEW = { body: { url: 'https://example.com/hooks/almanac', types: ['forecast.completed'] } };
const CHANGE = { body: { name: 'Another name' } };

/** The operations on webhooks, and on the settings of emails. */
export const WEBHOOK_ROWS = {
  readNotifications: { answers: accountsWith('account:read', 200) },
  updateNotifications: {
    answers: verifiedWith('forecasts:write', 200),
    request: () => ({ body: { forecasts: true, outcomes: false } }),
  },

  listWebhooks: { answers: reading },
  createWebhook: { answers: { ...sending(201), ...WITHOUT_SCOPE_OF_TYPE }, request: () => NEW },
  readWebhook: { answers: reading, request: ownWebhook },
  updateWebhook: { answers: sending(200), request: async (cell) => ({ ...(await ownWebhook(cell)), ...CHANGE }) },
  deleteWebhook: { answers: writing, request: ownWebhook },
  testWebhook: { answers: sending(202), request: ownWebhook },
  rotateWebhook: { answers: { ...writing, ...WITHOUT_SCOPE_OF_TYPE }, request: ownWebhook },
  listWebhookDeliveries: { answers: reading, request: ownWebhook },
  replayWebhookDelivery: {
    answers: sending(202),
    request: async (cell) => withDelivery(cell, await ownWebhook(cell)),
  },

  listWorkspaceWebhooks: { answers: readingInWorkspace },
  createWorkspaceWebhook: {
    answers: { ...sendingFromWorkspace(201), ...WITHOUT_SCOPE_OF_TYPE },
    request: () => NEW,
  },
  readWorkspaceWebhook: { answers: readingInWorkspace, request: workspaceWebhook },
  updateWorkspaceWebhook: {
    answers: sendingFromWorkspace(200),
    request: async (cell) => ({ ...(await workspaceWebhook(cell)), ...CHANGE }),
  },
  deleteWorkspaceWebhook: { answers: writingInWorkspace, request: workspaceWebhook },
  testWorkspaceWebhook: { answers: sendingFromWorkspace(202), request: workspaceWebhook },
  rotateWorkspaceWebhook: { answers: { ...writingInWorkspace, ...WITHOUT_SCOPE_OF_TYPE }, request: workspaceWebhook },
  listWorkspaceWebhookDeliveries: { answers: readingInWorkspace, request: workspaceWebhook },
  replayWorkspaceWebhookDelivery: {
    answers: sendingFromWorkspace(202),
    request: async (cell) => withDelivery(cell, await workspaceWebhook(cell)),
  },
} satisfies Partial<Record<OperationId, Row>>;

type WebhookRequest = Request & { readonly params: { readonly webhook_id: string } };

/** Stores a webhook of the caller, or of another account if the caller can have none. */
async function ownWebhook({ identity, caller }: Cell): Promise<WebhookRequest> {
  const accountId = caller.accountId ?? (await makeAccount(identity, { password: null })).id;
  return { params: { webhook_id: await makeWebhook(identity.database, { accountId }) } };
}

/** Stores a webhook of the workspace of the scene. */
async function workspaceWebhook({ identity, scene }: Cell): Promise<WebhookRequest> {
  return { params: { webhook_id: await makeWebhook(identity.database, { workspaceId: scene.workspace.id }) } };
}

/** Adds a delivery that has ended to a request. */
async function withDelivery({ identity }: Cell, { params }: WebhookRequest): Promise<Request> {
  return { params: { ...params, delivery_id: await makeDelivery(identity.database, params.webhook_id) } };
}
