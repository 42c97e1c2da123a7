import { z } from 'zod';
import { identifier, instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';

/** How many names of each kind the list of an erasure has, and how many forecasts a request can choose to keep. */
export const MAX_LISTED_ITEMS = 200;

const count = (description: string) => z.int().min(0).describe(description);

const OwnedItems = z
  .strictObject({
    total: count('The number of all of them.'),
    items: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string().nullable().describe('Null if it has no name, or if it is private to another account.'),
        }),
      )
      .describe(`The newest ones, at most ${MAX_LISTED_ITEMS}.`),
  })
  .meta({ id: 'OwnedItems' });

const NamedWorkspace = { id: z.string(), slug: z.string(), name: z.string() };

/** What the erasure of an account would remove, what would stay, and what prevents it. */
export const AccountErasure = z
  .strictObject({
    email: z.string(),
    blocked_by: z
      .array(
        z.discriminatedUnion('kind', [
          z.strictObject({
            kind: z.literal('workspace'),
            ...NamedWorkspace,
            members: count('The number of other members.'),
            personal: z.boolean().describe('Whether only removing the members helps.'),
          }),
          z.strictObject({ kind: z.literal('administration'), remedy: z.string() }),
        ]),
      )
      .describe(
        'What prevents the erasure. `workspace`: a workspace of the account has other members; transfer or delete it, or remove the members (from a personal workspace, they can only be removed). `administration`: the account is the only administrator; make another one first.',
      ),
    removed: z.strictObject({
      workspaces: OwnedItems,
      csv_files: OwnedItems,
      forecasts: OwnedItems,
      events: OwnedItems,
      filters: OwnedItems,
      feeds: OwnedItems,
      webhooks: OwnedItems,
      api_keys: OwnedItems,
      applications: OwnedItems,
    }),
    unfinished_forecasts: count('Queued and running forecasts, which would be canceled.'),
    memberships: z
      .array(
        z.strictObject({
          ...NamedWorkspace,
          forecasts: count('Forecasts that the account shared there. They stay and then belong to the owner.'),
          events: count('Event forecasts that the account shared there. They stay and then belong to the owner.'),
        }),
      )
      .describe('Memberships in workspaces of other accounts, which would end.'),
    public_forecasts: z
      .strictObject({
        total: count('The number of all of them.'),
        items: z
          .array(z.strictObject({ id: z.string(), slug: z.string(), name: z.string(), created_at: instant() }))
          .describe(`The newest ones, at most ${MAX_LISTED_ITEMS}.`),
      })
      .describe(
        'Completed public forecasts, which `keep_public` can keep without an owner. They are also in `removed`.',
      ),
  })
  .meta({ id: 'AccountErasure' });

const removedCounts = z.strictObject({
  workspaces: count('Workspaces.'),
  csv_files: count('Files.'),
  forecasts: count('Forecasts.'),
  events: count('Event forecasts.'),
  filters: count('Screener filters.'),
  feeds: count('Feeds.'),
  webhooks: count('Webhooks, including those of its workspaces.'),
  memberships: count('Memberships in workspaces of other accounts.'),
  api_keys: count('API keys, including those that were revoked or had expired.'),
  sessions: count('Browser sessions.'),
  applications: count('Applications that had access.'),
});

const KEEP_RULE = `must be all, or a list of at most ${MAX_LISTED_ITEMS} ids of public forecasts, which GET /v1/me/erasure lists`;

export const accountDataOperations = {
  exportAccount: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/export',
    action: 'account.export',
    summary: 'Export everything the account owns',
    description:
      'Requires a browser session. Returns a ZIP archive that is written while it is sent: JSON files with the data of the operations that show the same things, the CSV files and the proofs. It contains no password, key or token. The last file, `manifest.json`, lists what could not be included. An archive that ends without it is incomplete.',
    weight: 20,
    heavy: 'transfer',
    status: 200,
    reply: resource(z.strictObject({})),
    attachment: 'always',
    archive: true,
    errors: ['SESSION_REQUIRED'],
  }),
  readErasure: operation({
    group: 'Access',
    method: 'GET',
    path: '/v1/me/erasure',
    action: 'account.erase',
    summary: 'Read what erasing the account would do',
    description:
      'Requires a browser session. Lists what would be removed, what would stay and with whom, and what prevents the erasure. Changes nothing.',
    weight: 5,
    status: 200,
    reply: resource(AccountErasure),
    errors: ['SESSION_REQUIRED'],
  }),
  eraseAccount: operation({
    group: 'Access',
    method: 'DELETE',
    path: '/v1/me',
    action: 'account.erase',
    summary: 'Erase the account',
    description:
      'Requires a browser session and the password. Removes the account with everything it owns; this cannot be undone. What it shared in workspaces of other accounts stays there and belongs to their owners. Public forecasts in `keep_public` stay at their address without an owner, and no caller can change or delete them. Public event forecasts are removed. Refused while the account owns a workspace with other members, and if it is the only administrator.',
    body: z.strictObject({
      current_password: text({ max: 1024 }),
      keep_public: z
        .union([z.literal('all'), z.array(identifier()).max(MAX_LISTED_ITEMS)], { error: KEEP_RULE })
        .default([])
        .describe('The ids of public forecasts that stay without an owner, or `all`. Default: none.'),
    }),
    bodyLimit: { bytes: 160 * 1024 },
    status: 200,
    reply: resource(
      z.strictObject({
        erased: z.literal(true),
        removed: removedCounts,
        canceled_forecasts: count('Queued and running forecasts that were canceled.'),
        kept_forecasts: count('Public forecasts that stay without an owner.'),
        handed_over: z.strictObject({
          forecasts: count('Forecasts that now belong to the owners of their workspaces.'),
          events: count('Event forecasts that now belong to the owners of their workspaces.'),
        }),
      }),
    ),
    errors: ['SESSION_REQUIRED', 'CONFLICT', 'NOT_FOUND'],
  }),
};
