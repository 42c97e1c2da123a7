import { MAX_OBSERVATIONS } from '../../../contract/index.ts';
import { listInLeftWorkspaces, notMemberOfWorkspace } from '../../../forecasts/index.ts';
import { listGrants } from '../../../identity/index.ts';
import { listNotificationMails } from '../../../notifications/index.ts';
import type { ZipFile } from '../../../platform/index.ts';
import { listResults } from '../../../screener/index.ts';
import { exportFileName } from '../../../snapshots/index.ts';
import { accountOf } from '../../call.ts';
import type { AccountArchive } from './account-archive.ts';
import { README } from './readme.ts';

/** Yields the files of an export, the manifest last. */
export async function* exportAccount(archive: AccountArchive): AsyncGenerator<ZipFile> {
  yield* archive.text('README.txt', README);
  yield* exportProfile(archive);
  yield* exportWorkspaces(archive);
  yield* exportForecasts(archive);
  await nameUnreadable(archive);
  yield* exportQuestions(archive);
  yield* exportScreener(archive);
  yield* exportWebhooks(archive, 'webhooks');
  yield* exportNotifications(archive);
  yield* exportManifest(archive);
}

async function* exportProfile(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const { parts } = archive.call;
  const { accountId, emailVerified, administrator } = accountOf(archive.call);
  yield* archive.json('account.json', async () => {
    const { user, personal_plan: plan } = await archive.run('readAccess');
    return { ...user, email_verified: emailVerified, plan, administrator };
  });
  yield* archive.json('usage.json', () => archive.run('readUsage'));
  yield* archive.json('api-keys.json', async () => (await archive.run('listApiKeys')).api_keys);
  yield* archive.json('sessions.json', async () => (await archive.run('listSessions')).sessions);
  yield* archive.json('applications.json', async () => {
    const grants = await listGrants(parts.identity, accountId);
    return grants.map(({ id, clientName, createdAt, lastUsedAt }) => ({
      id,
      name: clientName,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    }));
  });
  yield* archive.json('feeds.json', async () => (await archive.run('listFeeds')).feeds);
  yield* archive.list('security-events.json', () =>
    archive.pages(async (cursor) => {
      const { events, next_cursor } = await archive.run('listSecurityEvents', { query: { limit: 200, ...cursor } });
      return { items: events, next_cursor };
    }),
  );
  yield* archive.list('invitations.json', () =>
    archive.pages(async (cursor) => {
      const { invitations, next_cursor } = await archive.run('listInvitations', { query: cursor });
      return { items: invitations, next_cursor };
    }),
  );
}

/** Yields the workspaces: of those that the account owns everything, of others its membership. */
async function* exportWorkspaces(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const { workspaces } = await archive.run('listWorkspaces');
  for (const workspace of workspaces) {
    const folder = `workspaces/${workspace.slug}`;
    const params = { workspace_id: workspace.id };
    yield* archive.json(`${folder}/workspace.json`, async () => workspace);
    if (workspace.role !== 'owner') continue;
    const members = async () => (await archive.run('listCollaborators', { params })).collaborators;
    yield* archive.json(`${folder}/collaborators.json`, members);
    yield* archive.list(`${folder}/forecasts.json`, () =>
      archive.pages(async (cursor) => {
        const query = { limit: 100, ...cursor };
        const { forecasts, next_cursor } = await archive.run('listWorkspaceForecasts', { params, query });
        return { items: forecasts, next_cursor };
      }),
    );
    yield* exportFiles(archive, folder, params);
    yield* exportWebhooks(archive, `${folder}/webhooks`, params);
  }
}

async function* exportFiles(
  archive: AccountArchive,
  folder: string,
  params: { readonly workspace_id: string },
): AsyncGenerator<ZipFile> {
  const files = archive.pages(async (cursor) => {
    const { files: items, next_cursor } = await archive.run('listCsvFiles', { params, query: cursor });
    return { items, next_cursor };
  });
  for await (const { id, name } of files) {
    const one = { ...params, csv_id: id };
    const path = `${folder}/files/${id}`;
    yield* archive.json(`${path}.json`, async () => {
      const {
        page: _,
        next_cursor: __,
        ...file
      } = await archive.run('readCsvFile', { params: one, query: { limit: 1 } });
      return file;
    });
    const fileName = exportFileName([name.replace(/\.csv$/i, '')], 'csv');
    yield* archive.file(`${path}-${fileName}`, () => archive.run('downloadCsvFile', { params: one }));
  }
}

async function* exportForecasts(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const forecasts = archive.pages(async (cursor) => {
    const { forecasts: items, next_cursor } = await archive.run('listForecasts', { query: { limit: 100, ...cursor } });
    return { items, next_cursor };
  });
  for await (const { forecast_id, slug, status } of forecasts) {
    const params = { forecast_id };
    const folder = `forecasts/${slug}`;
    yield* archive.json(`${folder}/forecast.json`, () => archive.run('readForecast', { params }));
    // The rows of a failed forecast may have been removed.
    yield* archive.json(`${folder}/rows.json`, () =>
      archive.run('readForecastHistory', { params, query: { limit: MAX_OBSERVATIONS } }),
    );
    if (status !== 'completed') continue;
    yield* archive.json(`${folder}/proof.json`, () => archive.run('readForecastProof', { params }));
    yield* archive.json(`${folder}/outcome.json`, () => archive.run('readOutcome', { params }));
  }
}

/** Names the forecasts of the account in workspaces that it has left. It can no longer read them, but still owns them. */
async function nameUnreadable(archive: AccountArchive): Promise<void> {
  const { parts } = archive.call;
  for (const { slug } of await listInLeftWorkspaces(parts.database, accountOf(archive.call).accountId))
    archive.leaveOut(`forecasts/${slug}`, notMemberOfWorkspace());
}

async function* exportQuestions(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const questions = archive.pages(async (cursor) => {
    const query = { author: 'me', ...cursor };
    const { forecasts: items, next_cursor } = await archive.run('listEvents', { query });
    return { items, next_cursor };
  });
  for await (const question of questions) {
    const params = { forecast_id: question.forecast_id };
    const folder = `questions/${question.slug}`;
    yield* archive.json(`${folder}/question.json`, async () => question);
    yield* archive.list(`${folder}/revisions.json`, () =>
      archive.pages(async (query) => {
        const { revisions, next_cursor } = await archive.run('listEventRevisions', { params, query });
        return { items: revisions, next_cursor };
      }),
    );
    yield* archive.list(`${folder}/history.json`, () =>
      archive.pages(async (query) => {
        const { entries, next_cursor } = await archive.run('readEventHistory', { params, query });
        return { items: entries, next_cursor };
      }),
    );
    yield* archive.json(`${folder}/proof.json`, () => archive.run('readEventProof', { params }));
  }
}

async function* exportScreener(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const { database } = archive.call.parts;
  const { alerts } = await archive.run('listScreenerAlerts');
  for (const filter of alerts) {
    yield* archive.json(`screener/${filter.id}/filter.json`, async () => filter);
    yield* archive.list(`screener/${filter.id}/matches.json`, () => listResults(database, filter.id));
  }
  yield* archive.list('screener/mails.json', () =>
    archive.pages(async (cursor) => {
      const { mails, next_cursor } = await archive.run('listScreenerMails', { query: cursor });
      return { items: mails, next_cursor };
    }),
  );
}

/** Yields the webhooks of the account, or of a workspace that it owns, each with its deliveries. */
async function* exportWebhooks(
  archive: AccountArchive,
  folder: string,
  workspace: { readonly workspace_id?: string } = {},
): AsyncGenerator<ZipFile> {
  const [list, listDeliveries] =
    workspace.workspace_id === undefined
      ? (['listWebhooks', 'listWebhookDeliveries'] as const)
      : (['listWorkspaceWebhooks', 'listWorkspaceWebhookDeliveries'] as const);
  const { webhooks } = await archive.run(list, { params: workspace });
  for (const webhook of webhooks) {
    const params = { ...workspace, webhook_id: webhook.id };
    yield* archive.json(`${folder}/${webhook.id}/webhook.json`, async () => webhook);
    yield* archive.list(`${folder}/${webhook.id}/deliveries.json`, () =>
      archive.pages(async (cursor) => {
        const query = { limit: 100, ...cursor };
        const { deliveries, next_cursor } = await archive.run(listDeliveries, { params, query });
        return { items: deliveries, next_cursor };
      }),
    );
  }
}

/** Yields which emails about forecasts the account wants, and those that it got. */
async function* exportNotifications(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const { database } = archive.call.parts;
  yield* archive.json('notifications/choice.json', async () => {
    const { forecasts, outcomes, delivery } = await archive.run('readNotifications');
    return { forecasts, outcomes, delivery };
  });
  yield* archive.list('notifications/mails.json', () =>
    listNotificationMails(database, accountOf(archive.call).accountId),
  );
}

async function* exportManifest(archive: AccountArchive): AsyncGenerator<ZipFile> {
  const { parts } = archive.call;
  yield* archive.json('manifest.json', async () => ({
    format: 'almanac-account-export',
    version: 1,
    service: parts.siteUrl(),
    account_id: accountOf(archive.call).accountId,
    completed_at: parts.clock.now().toISOString(),
    files: archive.files + 1,
    left_out: archive.leftOut,
  }));
}
