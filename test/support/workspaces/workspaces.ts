import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Account } from '../../../src/access/index.ts';
import { createWorkspaceContext } from '../../../src/compose/index.ts';
import { type Role, SCOPES } from '../../../src/contract/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import { type Executor, newId, slugOf } from '../../../src/platform/index.ts';
import type {
  CollaboratorView,
  OfferedWorkspace,
  WorkspaceContext,
  WorkspaceMemberTable,
  WorkspaceTables,
} from '../../../src/workspaces/index.ts';
import { requestAs, type SendRequest } from '../api/request-as.ts';
import { type ForecastService, openForecastService } from '../forecasts/forecast-service.ts';
import { type AccountSpec, type Credentials, makeAccount, withKey } from '../identity/callers.ts';
import { testedKind } from '../platform/database.ts';

export interface TestWorkspace {
  readonly id: string;
  readonly slug: string;
}

/** Creates a workspace that the account owns, in addition to its personal one. */
export async function makeWorkspace(executor: Executor, ownerId: string, name = 'Research'): Promise<TestWorkspace> {
  const workspace = { id: newId('ws'), slug: slugOf(name, 'workspace') };
  const now = new Date();
  await executor
    .query<WorkspaceTables>()
    .insertInto('workspace')
    .values({
      ...workspace,
      name,
      owner_account_id: ownerId,
      legacy_personal: false,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await makeMember(executor, workspace.id, ownerId, { role: 'owner' });
  return workspace;
}

export type MembershipSpec = Partial<Omit<WorkspaceMemberTable, 'id' | 'workspace_id' | 'account_id' | 'created_at'>>;

let lastMemberAt = 0;

/** Returns the current time, but later than at the previous call: lists order members of the same millisecond by id. */
function nextMemberTime(): Date {
  lastMemberAt = Math.max(Date.now(), lastMemberAt + 1);
  return new Date(lastMemberAt);
}

/** Adds a member: a viewer of everything unless the spec differs. Returns the collaborator id. */
export async function makeMember(
  executor: Executor,
  workspaceId: string,
  accountId: string,
  spec: MembershipSpec = {},
): Promise<string> {
  const id = newId('col');
  await executor
    .query<WorkspaceTables>()
    .insertInto('workspace_member')
    .values({
      id,
      workspace_id: workspaceId,
      account_id: accountId,
      role: 'viewer' satisfies Role,
      csv_scope_mode: 'all',
      csv_scope_ids: [],
      forecasts_scope_mode: 'all',
      forecasts_scope_ids: [],
      ...spec,
      created_at: nextMemberTime(),
    })
    .execute();
  return id;
}

/** Returns the personal workspace of an account. */
export async function personalWorkspace(executor: Executor, ownerId: string): Promise<TestWorkspace> {
  return executor
    .query<WorkspaceTables>()
    .selectFrom('workspace')
    .select(['id', 'slug'])
    .where('owner_account_id', '=', ownerId)
    .where('legacy_personal', '=', true)
    .executeTakeFirstOrThrow();
}

/** Returns a context whose emails are recorded instead of sent, with the clock of the identity context. */
export function recordMailRequests({ database, clock }: IdentityContext): WorkspaceContext & {
  readonly mails: readonly string[];
} {
  const mails: string[] = [];
  return { ...createWorkspaceContext({ database, clock }), requestMail: async (_tx, id) => void mails.push(id), mails };
}

/** A registered account and its requests. */
export interface Registered {
  readonly id: string;
  readonly email: string;
  readonly request: SendRequest;
}

/** A registered account with its credentials. */
export interface KeyHolder extends Registered {
  readonly credentials: Credentials;
}

/** Registers an account with an API key: pro and verified unless the spec differs. */
export async function register(
  { app, identity }: { readonly app: FastifyInstance; readonly identity: IdentityContext },
  spec: AccountSpec = {},
): Promise<KeyHolder> {
  const { id, email } = await makeAccount(identity, { password: null, ...spec });
  const credentials = await withKey(identity, id);
  return { id, email, credentials, request: requestAs(app, credentials) };
}

export const WORKSPACES = '/v1/workspaces';

/** Declares a test on the database of this run, with the whole service and a registered account. */
export function forEachService(
  name: string,
  body: (service: ForecastService, owner: Registered) => Promise<void>,
): void {
  test(`${name} [${testedKind}]`, async () => {
    await using service = await openForecastService(testedKind);
    await body(service, await register(service));
  });
}

type Answerer = Pick<Registered, 'request'>;

/** Accepts an invitation by the API. */
async function accept({ request }: Answerer, invitationId: string): Promise<void> {
  const { status, body } = await request('POST', `/v1/me/invitations/${invitationId}/accept`);
  assert.equal(status, 200, body);
}

/**
 * Invites a registered account by the API and accepts for it.
 *
 * @param at the path of the workspace
 * @returns the collaborator id
 */
export async function joinByInvitation(
  owner: Answerer,
  invited: Answerer & Pick<Registered, 'email'>,
  at: string,
  fields: object = {},
): Promise<string> {
  const { email } = invited;
  const invitation = { email, role: 'editor' satisfies Role, ...fields };
  const added = await owner.request<CollaboratorView>('POST', `${at}/collaborators`, invitation);
  assert.equal(added.status, 201, added.body);
  await accept(invited, added.data.collaborator_id);
  return added.data.collaborator_id;
}

/** Transfers a workspace to a member by the API and accepts for it. */
export async function transferTo(
  owner: Answerer,
  receiver: Answerer,
  at: string,
  collaborator_id: string,
): Promise<void> {
  const offered = await owner.request<OfferedWorkspace>('POST', `${at}/transfer`, { collaborator_id });
  assert.equal(offered.status, 200, offered.body);
  await accept(receiver, offered.data.transfer.invitation_id);
}

/** Returns the collaborator id of a member. */
export async function collaboratorIdOf(executor: Executor, accountId: string, workspaceId: string): Promise<string> {
  const { id } = await executor
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns an account as a principal, authenticated by a key with every scope. */
export function principalOf({ id, email }: { readonly id: string; readonly email: string }): Account {
  return {
    kind: 'account',
    accountId: id,
    email,
    emailVerified: true,
    plan: 'pro',
    administrator: false,
    credential: 'key',
    credentialId: 'key_00000000000000000000000000',
    credentialExpiresAt: null,
    scopes: SCOPES,
  };
}

/** Asserts that each workspace has exactly one owner, the one that its row names. */
export async function assertOneOwnerEach(executor: Executor): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT workspace.id FROM workspace
    WHERE (
      SELECT array_agg(account_id) FROM workspace_member
      WHERE workspace_id = workspace.id AND role = 'owner'
    ) IS DISTINCT FROM ARRAY[owner_account_id]`.execute(executor.query());
  assert.deepEqual(rows, [], 'workspaces without exactly one owner');
}

/** Returns `forEachService` for tests that are independent of each other's data and share one service. */
export function shareService(): typeof forEachService {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
  });
  return (name, body) => {
    test(`${name} [${testedKind}]`, async () => body(service, await register(service)));
  };
}
