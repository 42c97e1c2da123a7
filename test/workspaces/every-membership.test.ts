import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorCode } from '../../src/contract/index.ts';
import type { SendRequest } from '../support/api/request-as.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { readTableVersions } from '../support/platform/table-versions.ts';
import {
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const SCOPES = {
  everything: {},
  nothing: { csv_scope_mode: 'none', forecasts_scope_mode: 'none' },
  'one file': { csv_scope_mode: 'selected', csv_scope_ids: ['csv_1'], forecasts_scope_mode: 'none' },
  'one forecast': { csv_scope_mode: 'none', forecasts_scope_mode: 'selected', forecasts_scope_ids: ['ef_1'] },
  'an empty list': { csv_scope_mode: 'selected', forecasts_scope_mode: 'selected' },
} as const satisfies Record<string, MembershipSpec>;

/** A workspace and one caller. */
interface Scene {
  readonly caller: Registered;
  readonly workspace: { readonly id: string; readonly slug: string };
  /** The collaborator id of another member. */
  readonly collaborator: string;
  /** The collaborator id of the caller, if it is a member. */
  readonly own: string;
}

type Outcome = number | ErrorCode;

interface Operation {
  readonly request: (send: SendRequest, at: string, scene: Scene) => ReturnType<SendRequest>;
  readonly owner: Outcome;
  readonly member: Outcome;
}

/** Every operation on a workspace and its members, with the answers to the owner and to other members. */
const OPERATIONS: Record<string, Operation> = {
  readWorkspace: { request: (send, at) => send('GET', at), owner: 200, member: 200 },
  listCollaborators: { request: (send, at) => send('GET', `${at}/collaborators`), owner: 200, member: 200 },
  renameWorkspace: {
    request: (send, at) => send('PATCH', at, { name: 'Another' }),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  addCollaborator: {
    request: (send, at) => send('POST', `${at}/collaborators`, { email: 'friend@example.org', role: 'viewer' }),
    owner: 201,
    member: 'WORKSPACE_DENIED',
  },
  updateCollaborator: {
    request: (send, at, { collaborator }) => send('PATCH', `${at}/collaborators/${collaborator}`, { role: 'editor' }),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  'updateCollaborator of oneself': {
    request: (send, at, { own }) => send('PATCH', `${at}/collaborators/${own}`, { role: 'editor' }),
    owner: 'CONFLICT',
    member: 'WORKSPACE_DENIED',
  },
  removeCollaborator: {
    request: (send, at, { collaborator }) => send('DELETE', `${at}/collaborators/${collaborator}`),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  'removeCollaborator of oneself': {
    request: (send, at, { own }) => send('DELETE', `${at}/collaborators/${own}`),
    owner: 'CONFLICT',
    member: 200,
  },
  transferWorkspace: {
    request: (send, at, { collaborator }) => send('POST', `${at}/transfer`, { collaborator_id: collaborator }),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  readTransfer: {
    request: (send, at) => send('GET', `${at}/transfer`),
    owner: 'NOT_FOUND',
    member: 'WORKSPACE_DENIED',
  },
  withdrawTransfer: {
    request: (send, at) => send('DELETE', `${at}/transfer`),
    owner: 'NOT_FOUND',
    member: 'WORKSPACE_DENIED',
  },
  deleteWorkspace: { request: (send, at) => send('DELETE', at), owner: 200, member: 'WORKSPACE_DENIED' },
};

let service: ForecastService;
let owner: Registered;
let callers: Record<'caller' | 'administrator' | 'other', Registered>;

before(async () => {
  service = await openForecastService(testedKind);
  owner = await register(service, { plan: 'enterprise' });
  callers = {
    caller: await register(service),
    other: await register(service),
    administrator: await register(service, { plan: 'enterprise', administrator: true }),
  };
});

after(() => service?.[Symbol.asyncDispose]());

/** Creates a workspace in which the caller has this membership, or none when undefined. */
async function openScene(caller: Registered, spec: MembershipSpec | undefined): Promise<Scene> {
  const { database } = service;
  const isOwner = spec?.role === 'owner';
  const workspace = await makeWorkspace(database, isOwner ? caller.id : owner.id);
  const { id: memberId } = isOwner ? owner : callers.other;
  const collaborator = await makeMember(database, workspace.id, memberId);
  if (spec === undefined) return { caller, workspace, collaborator, own: collaborator };
  const own = isOwner
    ? await ownerCollaboratorId(workspace.id)
    : await makeMember(database, workspace.id, caller.id, spec);
  return { caller, workspace, collaborator, own };
}

async function ownerCollaboratorId(workspaceId: string): Promise<string> {
  const { rows } = await service.database
    .query<{ workspace_member: { id: string; workspace_id: string; role: string } }>()
    .selectFrom('workspace_member')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .execute()
    .then((found) => ({ rows: found }));
  return rows[0]?.id ?? '';
}

const MEMBERSHIPS: [string, MembershipSpec][] = [
  ['the owner', { role: 'owner' }],
  ...(['editor', 'viewer'] as const).flatMap((role) =>
    Object.entries(SCOPES).map(([scope, spec]): [string, MembershipSpec] => [`${role} of ${scope}`, { role, ...spec }]),
  ),
];

for (const [position, [operation, answers]] of Object.entries(OPERATIONS).entries()) {
  const { request, owner: toOwner, member: toMember } = answers;

  test(`${operation} answers every member by role, by id and by slug`, async () => {
    for (const [index, [name, spec]] of MEMBERSHIPS.entries()) {
      // Every second member uses the slug. The two halves swap with each operation.
      const by = (index + position) % 2 === 0 ? 'id' : 'slug';
      const scene = await openScene(callers.caller, spec);
      const { status, code, body } = await request(scene.caller.request, `${WORKSPACES}/${scene.workspace[by]}`, scene);
      const wanted = spec.role === 'owner' ? toOwner : toMember;
      assert.equal(code ?? status, wanted, `${name}, by ${by}: ${body}`);
      await deleteWorkspaceRow(scene.workspace.id);
    }
  });

  test(`${operation} gives callers without a membership one answer, whether or not the workspace exists`, async () => {
    const { database } = service;
    for (const kind of ['a stranger', 'an administrator', 'an invited account', 'a removed member'] as const) {
      const caller = kind === 'an administrator' ? callers.administrator : callers.caller;
      const scene = await openScene(caller, undefined);
      const at = `${WORKSPACES}/${scene.workspace.id}`;
      if (kind === 'an invited account') {
        await owner.request('POST', `${at}/collaborators`, { email: caller.email, role: 'editor' });
      }
      if (kind === 'a removed member') {
        const removed = await makeMember(database, scene.workspace.id, caller.id, { role: 'editor' });
        assert.equal((await owner.request('DELETE', `${at}/collaborators/${removed}`)).status, 200);
      }
      const untouched = await readTableVersions(database);
      const answers = [];
      for (const named of [scene.workspace.id, scene.workspace.slug, 'ws_00000000000000000000000000', 'no-such-slug'])
        answers.push(await request(caller.request, `${WORKSPACES}/${named}`, scene));
      for (const { status, code } of answers) assert.deepEqual([status, code], [403, 'WORKSPACE_DENIED'], kind);
      assert.equal(new Set(answers.map(({ body }) => body)).size, 1, kind);
      assert.deepEqual(await readTableVersions(database), untouched, 'a refusal changes nothing');
      await deleteWorkspaceRow(scene.workspace.id);
    }
  });
}

/** Removes the workspace, because the number of workspaces of an owner is limited. */
async function deleteWorkspaceRow(workspaceId: string): Promise<void> {
  await service.database
    .query<{ workspace: { id: string } }>()
    .deleteFrom('workspace')
    .where('id', '=', workspaceId)
    .execute();
}
