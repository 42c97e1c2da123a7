import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorCode } from '../../src/contract/index.ts';
import type { Ask } from '../support/api/ask.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { restingRows } from '../support/snapshots/rows.ts';
import {
  makeMember,
  makeWorkspace,
  type PlaceSpec,
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
} as const satisfies Record<string, PlaceSpec>;

/** A workspace as one caller meets it. */
interface Scene {
  readonly caller: Registered;
  readonly workspace: { readonly id: string; readonly slug: string };
  /** Another member. */
  readonly collaborator: string;
  /** The caller's own place, where it has one. */
  readonly own: string;
}

type Answer = number | ErrorCode;

interface Deed {
  readonly ask: (ask: Ask, at: string, scene: Scene) => ReturnType<Ask>;
  readonly owner: Answer;
  readonly member: Answer;
}

/** Every operation on a workspace and its people, with the answer to its owner, and to everyone else with a place. */
const DEEDS: Record<string, Deed> = {
  readWorkspace: { ask: (ask, at) => ask('GET', at), owner: 200, member: 200 },
  listCollaborators: { ask: (ask, at) => ask('GET', `${at}/collaborators`), owner: 200, member: 200 },
  renameWorkspace: {
    ask: (ask, at) => ask('PATCH', at, { name: 'Another' }),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  addCollaborator: {
    ask: (ask, at) => ask('POST', `${at}/collaborators`, { email: 'friend@example.org', role: 'viewer' }),
    owner: 201,
    member: 'WORKSPACE_DENIED',
  },
  updateCollaborator: {
    ask: (ask, at, { collaborator }) => ask('PATCH', `${at}/collaborators/${collaborator}`, { role: 'editor' }),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  'updateCollaborator of oneself': {
    ask: (ask, at, { own }) => ask('PATCH', `${at}/collaborators/${own}`, { role: 'editor' }),
    owner: 'CONFLICT',
    member: 'WORKSPACE_DENIED',
  },
  removeCollaborator: {
    ask: (ask, at, { collaborator }) => ask('DELETE', `${at}/collaborators/${collaborator}`),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  'removeCollaborator of oneself': {
    ask: (ask, at, { own }) => ask('DELETE', `${at}/collaborators/${own}`),
    owner: 'CONFLICT',
    member: 200,
  },
  transferWorkspace: {
    ask: (ask, at, { collaborator }) => ask('POST', `${at}/transfer`, { collaborator_id: collaborator }),
    owner: 200,
    member: 'WORKSPACE_DENIED',
  },
  deleteWorkspace: { ask: (ask, at) => ask('DELETE', at), owner: 200, member: 'WORKSPACE_DENIED' },
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

/** A fresh workspace in which the caller has this place; undefined: none. */
async function sceneFor(caller: Registered, spec: PlaceSpec | undefined): Promise<Scene> {
  const { database } = service;
  const isOwner = spec?.role === 'owner';
  const workspace = await makeWorkspace(database, isOwner ? caller.id : owner.id);
  const { id: memberId } = isOwner ? owner : callers.other;
  const collaborator = await makeMember(database, workspace.id, memberId);
  if (spec === undefined) return { caller, workspace, collaborator, own: collaborator };
  const own = isOwner ? await ownersPlace(workspace.id) : await makeMember(database, workspace.id, caller.id, spec);
  return { caller, workspace, collaborator, own };
}

async function ownersPlace(workspaceId: string): Promise<string> {
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

const PLACES: [string, PlaceSpec][] = [
  ['the owner', { role: 'owner' }],
  ...(['editor', 'viewer'] as const).flatMap((role) =>
    Object.entries(SCOPES).map(([scope, spec]): [string, PlaceSpec] => [`${role} of ${scope}`, { role, ...spec }]),
  ),
];

for (const [deed, { ask, owner: toOwner, member: toMember }] of Object.entries(DEEDS)) {
  test(`${deed} as everyone with a place, by id and by slug`, async () => {
    for (const [name, spec] of PLACES)
      for (const by of ['id', 'slug'] as const) {
        const scene = await sceneFor(callers.caller, spec);
        const { status, code, body } = await ask(scene.caller.ask, `${WORKSPACES}/${scene.workspace[by]}`, scene);
        const wanted = spec.role === 'owner' ? toOwner : toMember;
        assert.equal(code ?? status, wanted, `${name}, by ${by}: ${body}`);
        await forget(scene.workspace.id);
      }
  });

  test(`${deed} as those without a place: one answer, whether there is a workspace or not`, async () => {
    const { database } = service;
    for (const who of ['a stranger', 'an administrator', 'somebody invited', 'a removed member'] as const) {
      const caller = who === 'an administrator' ? callers.administrator : callers.caller;
      const scene = await sceneFor(caller, undefined);
      const at = `${WORKSPACES}/${scene.workspace.id}`;
      if (who === 'somebody invited') {
        await owner.ask('POST', `${at}/collaborators`, { email: 'invited@example.org', role: 'editor' });
      }
      if (who === 'a removed member') {
        const place = await makeMember(database, scene.workspace.id, caller.id, { role: 'editor' });
        assert.equal((await owner.ask('DELETE', `${at}/collaborators/${place}`)).status, 200);
      }
      const untouched = await restingRows(database);
      const answers = [];
      for (const named of [scene.workspace.id, scene.workspace.slug, 'ws_00000000000000000000000000', 'no-such-slug'])
        answers.push(await ask(caller.ask, `${WORKSPACES}/${named}`, scene));
      for (const { status, code } of answers) assert.deepEqual([status, code], [403, 'WORKSPACE_DENIED'], who);
      assert.equal(new Set(answers.map(({ body }) => body)).size, 1, who);
      assert.deepEqual(await restingRows(database), untouched, 'nothing has changed');
      await forget(scene.workspace.id);
    }
  });
}

/** An account can own only so many. */
async function forget(workspaceId: string): Promise<void> {
  await service.database
    .query<{ workspace: { id: string } }>()
    .deleteFrom('workspace')
    .where('id', '=', workspaceId)
    .execute();
}
