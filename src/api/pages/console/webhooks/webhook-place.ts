import type { Account } from '../../../../access/index.ts';
import {
  type Operations,
  type Output,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import type { OperationInput } from '../../../operation-caller.ts';
import { errorSummary, type FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { ACCOUNT_PATH, forAccounts, PARTS, partPath, renderPart } from '../account/frame.ts';
import type { ConsolePage } from '../document.ts';
import { type Crumb, renderCrumbs, renderFormPage, renderRefusal } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import type { ConsoleHandler, ConsoleRoute, ConsoleVisit } from '../visit.ts';
import {
  crumbsTo,
  readWorkspace,
  renderDenied,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from '../workspaces/workspace-visit.ts';
import type { Webhook } from './words.ts';

/** Whose webhooks a page is about: those of the visitor's account, or those of a workspace. */
export interface WebhookPlace {
  readonly visit: ConsoleVisit;
  readonly account: Account;
  /** Null for the webhooks of the account. */
  readonly workspace: Workspace | null;
  /** The address of the list. */
  readonly path: string;
}

/** The operations of an account and those of a workspace. */
const OPERATIONS = {
  list: ['listWebhooks', 'listWorkspaceWebhooks'],
  create: ['createWebhook', 'createWorkspaceWebhook'],
  read: ['readWebhook', 'readWorkspaceWebhook'],
  update: ['updateWebhook', 'updateWorkspaceWebhook'],
  remove: ['deleteWebhook', 'deleteWorkspaceWebhook'],
  test: ['testWebhook', 'testWorkspaceWebhook'],
  rotate: ['rotateWebhook', 'rotateWorkspaceWebhook'],
  listDeliveries: ['listWebhookDeliveries', 'listWorkspaceWebhookDeliveries'],
  replay: ['replayWebhookDelivery', 'replayWorkspaceWebhookDelivery'],
} as const;

type Name = keyof typeof OPERATIONS;

/** Calls an operation on the webhooks of a place. */
export function callAt<Called extends Name>(
  { visit, workspace }: WebhookPlace,
  name: Called,
  input: OperationInput = {},
): Promise<Output<Operations[(typeof OPERATIONS)[Called][0]]>> {
  const [ofAccount, ofWorkspace] = OPERATIONS[name];
  const call = workspace === null ? visit.visitor.call(ofAccount, input) : callOf(workspace, ofWorkspace);
  return call as Promise<Output<Operations[(typeof OPERATIONS)[Called][0]]>>;

  function callOf({ id }: Workspace, operation: (typeof OPERATIONS)[Called][1]) {
    return visit.visitor.call(operation, { ...input, params: { ...input.params, workspace_id: id } });
  }
}

/** Returns the path parameter by which the address of a page names a webhook. */
export function webhookParams({ visit: { params } }: WebhookPlace): { readonly webhook_id: string } {
  // The router also matches addresses such as /auth/account/webhooks//delete.
  if (!params.id) throw routeNotFound();
  return { webhook_id: params.id };
}

/** Reads the webhook that the address of a page names. Throws a fault if the place has none with this id. */
export function readWebhook(place: WebhookPlace): Promise<Webhook> {
  return callAt(place, 'read', { params: webhookParams(place) });
}

/** Returns the address of the page of a webhook, or of a page below it. */
export function webhookPath({ path }: WebhookPlace, { id }: { readonly id: string }, action = ''): string {
  return `${path}/${encodeURIComponent(id)}${action === '' ? '' : `/${action}`}`;
}

/** Returns the types of events that a webhook of a place can choose. Filters belong to accounts. */
export function offeredTypes({ workspace }: WebhookPlace): readonly WebhookEventType[] {
  return workspace === null ? WEBHOOK_EVENT_TYPES : WEBHOOK_EVENT_TYPES.filter((type) => type !== 'screener.matched');
}

type PlaceHandler = (place: WebhookPlace) => ReturnType<ConsoleHandler>;

interface PlaceHandlers {
  readonly get?: PlaceHandler;
  readonly post?: PlaceHandler;
}

/** Creates the routes of a page: that of the account, and that of workspaces. */
export function routesAt(below: string, handlers: PlaceHandlers): readonly ConsoleRoute[] {
  const at = (path: string, wrap: (handler: PlaceHandler) => ConsoleHandler): ConsoleRoute => ({
    path: `${path}${below}`,
    ...(handlers.get && { get: wrap(handlers.get) }),
    ...(handlers.post && { post: wrap(handlers.post) }),
  });
  return [at(partPath('webhooks'), ofAccount), at(`${WORKSPACES_PATH}/:slug/webhooks`, ofWorkspace)];
}

function ofAccount(handler: PlaceHandler): ConsoleHandler {
  return forAccounts('webhooks', (visit, account) =>
    handler({ visit, account, workspace: null, path: partPath('webhooks') }),
  );
}

function ofWorkspace(handler: PlaceHandler): ConsoleHandler {
  return async (visit) => {
    const workspace = await readWorkspace(visit);
    const { principal } = visit.visitor;
    if (principal.kind !== 'account' || !workspace.permissions.includes('workspace.update')) {
      return renderDenied(
        workspace,
        'You cannot see these webhooks',
        'Only the owner of this workspace can see and change its webhooks, because they send out what happens in it.',
      );
    }
    return handler({ visit, account: principal, workspace, path: workspacePath(workspace, 'webhooks') });
  };
}

interface WebhooksPage {
  readonly body: Html;
  /** Replaces the name of the list, on a page below it. */
  readonly heading?: string | undefined;
  readonly lead?: string | Html | undefined;
  readonly refusal?: Refusal | undefined;
  readonly errors?: FieldErrors | undefined;
  readonly status?: number | undefined;
}

/** Renders a page about webhooks: among the pages of the account, or below its workspace. */
export function renderWebhooksPage(place: WebhookPlace, page: WebhooksPage): ConsolePage {
  const { account, workspace } = place;
  if (workspace === null) return renderPart({ part: 'webhooks', account, ...page });
  const { heading = PARTS.webhooks[0], lead, refusal, errors = {}, body } = page;
  const hasErrors = Object.keys(errors).length > 0;
  return {
    title: `${heading}: ${workspace.name}`,
    section: 'workspaces',
    status: refusal?.status ?? (hasErrors ? 400 : (page.status ?? 200)),
    failed: refusal !== undefined || hasErrors,
    body: html`${renderCrumbs(page.heading === undefined ? crumbsTo(workspace) : crumbsToList(place))}
<div class="flow webhooks-page">
<header><h1>${heading}</h1>
${lead !== undefined && html`<p class="lead">${lead}</p>`}</header>
${renderRefusal(refusal)}
${errorSummary(errors)}
${body}
</div>`,
  };
}

function crumbsToList({ workspace, path }: WebhookPlace): readonly Crumb[] {
  const start = workspace === null ? [{ href: ACCOUNT_PATH, label: 'Account' }] : crumbsTo(workspace);
  return [...start, { href: path, label: PARTS.webhooks[0] }];
}

/** Renders the page that asks before something is done to a webhook. */
export function renderQuestion(
  place: WebhookPlace,
  webhook: { readonly id: string; readonly title: string },
  { heading, body }: { readonly heading: string; readonly body: Html },
): ConsolePage {
  return renderFormPage({
    heading,
    section: place.workspace === null ? 'account' : 'workspaces',
    crumbs: [...crumbsToList(place), { href: webhookPath(place, webhook), label: webhook.title }],
    body,
  });
}
