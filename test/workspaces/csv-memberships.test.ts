import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { ErrorCode } from '../../src/contract/index.ts';
import { deleteCsvFile, exportCsvFile, listCsvFiles, readCsvFile, uploadCsvFile } from '../../src/workspaces/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { withGuest } from '../support/identity/callers.ts';
import { countUses } from '../support/platform/counted-database.ts';
import { testedKind } from '../support/platform/database.ts';
import { csvContext, DAILY_CSV, inPieces, makeCsvFile, UNDECLARED } from '../support/workspaces/csv-files.ts';
import {
  type KeyHolder,
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  principalOf,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

type Outcome = number | ErrorCode;

/** Scopes in a workspace with two files: the requested one and another. */
const SCOPES = {
  everything: () => ({ csv_scope_mode: 'all' as const }),
  nothing: () => ({ csv_scope_mode: 'none' as const }),
  'the file': (file: string) => ({ csv_scope_mode: 'selected' as const, csv_scope_ids: [file] }),
  'another file': (_: string, other: string) => ({ csv_scope_mode: 'selected' as const, csv_scope_ids: [other] }),
  'an empty list': () => ({ csv_scope_mode: 'selected' as const, csv_scope_ids: [] }),
} satisfies Record<string, (file: string, other: string) => MembershipSpec>;
type ScopeName = keyof typeof SCOPES;

interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: (file: string) => string;
  readonly file?: string;
  /** By scope, for roles that allow the operation. */
  readonly answers: Record<ScopeName, Outcome>;
  readonly viewers: boolean;
}

const DENIED = 'WORKSPACE_DENIED';
const forOneFile = (success: Outcome): Record<ScopeName, Outcome> => ({
  everything: success,
  nothing: DENIED,
  'the file': success,
  'another file': 'NOT_FOUND',
  'an empty list': DENIED,
});
const forAnyFile = (success: Outcome): Record<ScopeName, Outcome> => ({
  ...forOneFile(success),
  'another file': success,
});

const OPERATIONS = {
  listCsvFiles: { method: 'GET', path: () => '/csv', answers: forAnyFile(200), viewers: true },
  readCsvFile: { method: 'GET', path: (file) => `/csv/${file}`, answers: forOneFile(200), viewers: true },
  downloadCsvFile: { method: 'GET', path: (file) => `/csv/${file}/download`, answers: forOneFile(200), viewers: true },
  uploadCsvFile: {
    method: 'POST',
    path: () => '/csv?name=x.csv',
    file: DAILY_CSV,
    answers: forAnyFile(201),
    viewers: false,
  },
  deleteCsvFile: { method: 'DELETE', path: (file) => `/csv/${file}`, answers: forOneFile(200), viewers: false },
} as const satisfies Record<string, Operation>;

let service: ForecastService;
let owner: KeyHolder;
let caller: KeyHolder;

before(async () => {
  service = await openForecastService(testedKind);
  owner = await register(service);
  caller = await register(service);
});

after(() => service?.[Symbol.asyncDispose]());

interface Scene {
  readonly workspace: { readonly id: string; readonly slug: string };
  readonly file: string;
  readonly other: string;
}

async function openScene(ownerId = owner.id): Promise<Scene> {
  const workspace = await makeWorkspace(service.database, ownerId);
  const file = await makeCsvFile(service.database, workspace.id, ownerId);
  return { workspace, file, other: await makeCsvFile(service.database, workspace.id, ownerId) };
}

/** Removes the workspace, because the number of workspaces of an owner is limited. */
async function deleteScene({ workspace }: Scene): Promise<void> {
  await sql`DELETE FROM workspace WHERE id = ${workspace.id}`.execute(service.database.query());
}

type Send = (
  method: Operation['method'],
  path: string,
  file?: string,
) => Promise<{ readonly status: number; readonly code?: ErrorCode | undefined; readonly body: string }>;

/** Returns a function that sends requests whose answer may not be JSON. */
function sendAs(credentials: Readonly<Record<string, string>>): Send {
  return async (method, path, file) => {
    const { statusCode: status, body } = await service.app.inject({
      method,
      url: `/api${WORKSPACES}${path}`,
      headers: { 'x-request-id': '0190163d-8694-739b-aea5-966c26f8ad91', ...credentials, 'content-type': 'text/csv' },
      ...(file && { payload: file }),
    });
    return { status, body, code: status < 400 ? undefined : JSON.parse(body).error.code };
  };
}

/** Returns every row that an operation could change. */
async function readStored(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT json_agg(f.id ORDER BY f.id) FROM csv_file AS f) AS files,
      (SELECT count(*) FROM csv_chunk) AS chunks,
      (SELECT json_agg(m.csv_scope_ids ORDER BY m.id) FROM workspace_member AS m) AS scopes
  `.execute(service.database.query());
  return rows;
}

const MEMBERSHIPS = [
  ['owner', 'everything'] as const,
  ...(['editor', 'viewer'] as const).flatMap((role) =>
    (Object.keys(SCOPES) as ScopeName[]).map((scope) => [role, scope] as const),
  ),
];

for (const [role, scope] of MEMBERSHIPS) {
  test(`answers every operation for ${role} of ${scope}, by id and by slug`, async () => {
    const send = sendAs(caller.credentials);
    for (const by of ['id', 'slug'] as const) {
      const scene = await openScene(role === 'owner' ? caller.id : owner.id);
      if (role !== 'owner') {
        const spec = { role, ...SCOPES[scope](scene.file, scene.other) };
        await makeMember(service.database, scene.workspace.id, caller.id, spec);
      }
      for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
        const before = await readStored();
        const path = `/${scene.workspace[by]}${operation.path(scene.file)}`;
        const { status, code, body } = await send(operation.method, path, operation.file);
        const wanted = role === 'viewer' && !operation.viewers ? DENIED : operation.answers[scope];
        assert.equal(code ?? status, wanted, `${name} by ${by}: ${body}`);
        if (code) assert.deepEqual(await readStored(), before, `${name}: a refusal changes nothing`);
        if (name === 'listCsvFiles' && status === 200) {
          const listed = JSON.parse(body).data.files.map(({ id }: { id: string }) => id);
          const inScope = {
            everything: [scene.file, scene.other],
            'the file': [scene.file],
            'another file': [scene.other],
          };
          assert.deepEqual(listed.toSorted(), inScope[scope as keyof typeof inScope].toSorted());
        }
      }
      await deleteScene(scene);
    }
  });
}

for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
  test(`${name} gives the same answer for a former workspace and one that does not exist`, async () => {
    const scene = await openScene();
    const bodies = new Set<string>();
    const administrator = await register(service, { plan: 'enterprise', administrator: true });
    for (const account of [caller, administrator]) {
      const collaborator = await makeMember(service.database, scene.workspace.id, account.id, { role: 'editor' });
      await sql`DELETE FROM workspace_member WHERE id = ${collaborator}`.execute(service.database.query());
      for (const workspace of [scene.workspace.id, scene.workspace.slug, 'ws_00000000000000000000000000', 'no-such']) {
        const answer = await sendAs(account.credentials)(
          operation.method,
          `/${workspace}${operation.path(scene.file)}`,
          operation.file,
        );
        assert.equal(answer.status, 403);
        bodies.add(answer.body);
      }
    }
    assert.equal(bodies.size, 1, [...bodies].join());
    const guest = await sendAs(await withGuest(service.identity))(
      operation.method,
      `/x${operation.path('y')}`,
      operation.file,
    );
    assert.equal(guest.code, 'ACCOUNT_REQUIRED');
    await deleteScene(scene);
  });
}

test('runs the same number of statements for a hidden and a missing file', async () => {
  const scene = await openScene();
  const elsewhere = await openScene();
  await makeMember(service.database, scene.workspace.id, caller.id, {
    role: 'editor',
    csv_scope_mode: 'selected',
    csv_scope_ids: [scene.file],
  });
  const principal = principalOf(caller);
  const absent = 'csv_00000000000000000000000000';
  const operations = {
    list: (context: ReturnType<typeof csvContext>, workspace: string) =>
      listCsvFiles(context, principal, { workspace, limit: 1 }),
    read: (context: ReturnType<typeof csvContext>, workspace: string, id: string) =>
      readCsvFile(context, principal, { workspace, id, limit: 1 }),
    download: (context: ReturnType<typeof csvContext>, workspace: string, id: string) =>
      exportCsvFile(context, principal, { workspace, id }),
    remove: (context: ReturnType<typeof csvContext>, workspace: string, id: string) =>
      deleteCsvFile(context, principal, { workspace, id }),
    upload: (context: ReturnType<typeof csvContext>, workspace: string) =>
      uploadCsvFile(context, principal, { workspace, name: 'x', declared: UNDECLARED, body: inPieces(DAILY_CSV) }),
  };
  for (const [name, operation] of Object.entries(operations)) {
    const outcome = async (workspace: string, id: string) => {
      const counted = countUses(service.database);
      const result = await operation(csvContext(counted.database), workspace, id).then(
        () => 'done',
        (error) => `${error.code} ${error.message}`,
      );
      return `${result} after ${counted.uses()}`;
    };
    const foreign = await outcome(elsewhere.workspace.id, elsewhere.file);
    assert.match(foreign, /^WORKSPACE_DENIED .* after 1$/, name);
    assert.equal(await outcome('ws_00000000000000000000000000', absent), foreign, name);
    assert.equal(await outcome(elsewhere.workspace.slug, scene.file), foreign, name);
    if (name === 'list' || name === 'upload') continue;
    const missing = await outcome(scene.workspace.id, absent);
    assert.match(missing, /^NOT_FOUND /, name);
    assert.equal(await outcome(scene.workspace.id, scene.other), missing, `${name}: out of scope`);
    assert.equal(await outcome(scene.workspace.id, elsewhere.file), missing, `${name}: of another workspace`);
  }
  await deleteScene(scene);
  await deleteScene(elsewhere);
});

test('refuses a removed member from the next request on', async () => {
  const scene = await openScene();
  const collaborator = await makeMember(service.database, scene.workspace.id, caller.id, { role: 'editor' });
  const path = `${WORKSPACES}/${scene.workspace.id}`;
  assert.equal((await caller.request('GET', `${path}/csv/${scene.file}`)).status, 200);
  assert.equal((await owner.request('DELETE', `${path}/collaborators/${collaborator}`)).status, 200);
  assert.equal((await caller.request('GET', `${path}/csv/${scene.file}`)).code, 'WORKSPACE_DENIED');
  assert.equal((await requestAs(service.app, caller.credentials)('GET', '/v1/me/access')).status, 200);
  await deleteScene(scene);
});
