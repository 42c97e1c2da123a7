import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Fault, ForecastRequestBody } from '../../src/contract/index.ts';
import {
  cancelUnfinished,
  checkLedger,
  createForecast,
  type ForecastContext,
  findForecastFacts,
  isLedgerSound,
  reproduceForecast,
} from '../../src/forecasts/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { uploadCsvFile, type WorkspaceTables } from '../../src/workspaces/index.ts';
import { type ForecastService, inlineRequest, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import { csvContext } from '../support/workspaces/csv-files.ts';
import {
  forEachService,
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  principalOf,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const ROUNDS = Number(process.env.ALMANAC_RACES ?? 25);
const OPTIONS = { idempotencyKey: null, network: null };

const requestIn = (workspace_id: string) =>
  ForecastRequestBody.parse(inlineRequest({ workspace_id, visibility: 'workspace' }));

/** Returns a context in which a request pauses after it was admitted and its rows were read. */
function openGate(jobs: ForecastContext) {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = async () => {
    reached.resolve();
    await opened.promise;
  };
  const { checkpoints } = jobs;
  const context: ForecastContext = {
    ...jobs,
    checkpoints: {
      ...checkpoints,
      current: async () => {
        await pass();
        return checkpoints.current();
      },
      missing: async (wanted) => {
        await pass();
        return checkpoints.missing(wanted);
      },
    },
  };
  return { context, reached: reached.promise, open: opened.resolve };
}

async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}

async function countForecasts({ database }: ForecastService): Promise<number> {
  const rows = await database.query<ForecastTables>().selectFrom('forecast').select('id').execute();
  return rows.length;
}

type Revocation = (owner: Registered, at: string, collaborator: string) => Promise<unknown>;

/** Changes that remove a member's permission to create while its request is running. */
const REVOCATIONS: Record<string, Revocation> = {
  'is removed': (owner, at, collaborator) => owner.request('DELETE', `${at}/collaborators/${collaborator}`),
  'becomes a viewer': (owner, at, collaborator) =>
    owner.request('PATCH', `${at}/collaborators/${collaborator}`, { role: 'viewer' }),
  'loses the scope': (owner, at, collaborator) =>
    owner.request('PATCH', `${at}/collaborators/${collaborator}`, { resource_scope: { forecasts: { mode: 'none' } } }),
  'loses the workspace': (owner, at) => owner.request('DELETE', at),
};

/** The same for uploads. */
const UPLOAD_REVOCATIONS: typeof REVOCATIONS = {
  'is removed': REVOCATIONS['is removed'] as Revocation,
  'becomes a viewer': REVOCATIONS['becomes a viewer'] as Revocation,
  'loses the scope': (owner, at, collaborator) =>
    owner.request('PATCH', `${at}/collaborators/${collaborator}`, { resource_scope: { csv: { mode: 'none' } } }),
  'loses the workspace': REVOCATIONS['loses the workspace'] as Revocation,
};

forEachService('creates nothing for a member that loses its membership during the request', async (service, owner) => {
  for (const [what, revoke] of Object.entries(REVOCATIONS)) {
    const member = await register(service);
    const { id } = await makeWorkspace(service.database, owner.id);
    const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
    const gate = openGate(service.forecasts);
    const creating = outcomeOf(createForecast(gate.context, principalOf(member), requestIn(id), OPTIONS));
    await gate.reached;
    await revoke(owner, `${WORKSPACES}/${id}`, collaborator);
    gate.open();
    assert.equal(await creating, 'WORKSPACE_DENIED', what);
    assert.equal(await countForecasts(service), 0, what);
  }
  assert.ok(isLedgerSound(await checkLedger(service.database)));
});

forEachService('does not reproduce or cancel a forecast for a removed member', async (service, owner) => {
  const member = await register(service);
  const { id } = await makeWorkspace(service.database, owner.id);
  const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
  const original = await createForecast(service.forecasts, principalOf(owner), requestIn(id), OPTIONS);
  const found = await findForecastFacts(service.forecasts, principalOf(member), original, 'forecast.cancel');
  const gate = openGate(service.forecasts);
  const again = outcomeOf(reproduceForecast(gate.context, principalOf(member), original, OPTIONS));
  await gate.reached;
  await owner.request('DELETE', `${WORKSPACES}/${id}/collaborators/${collaborator}`);
  gate.open();
  assert.equal(await again, 'WORKSPACE_DENIED');
  assert.equal(
    await outcomeOf(cancelUnfinished(service.forecasts, found, principalOf(member))),
    'NOT_FOUND',
    'the member is not the creator',
  );
  const { status } = await findForecastFacts(service.forecasts, principalOf(owner), original, 'forecast.read');
  assert.equal(status, 'queued');
  assert.equal(await countForecasts(service), 1);
});

forEachService('adds nothing for a member that loses its membership during the upload', async (service, owner) => {
  for (const [what, revoke] of Object.entries(UPLOAD_REVOCATIONS)) {
    const member = await register(service);
    const { id } = await makeWorkspace(service.database, owner.id);
    const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const body = (async function* () {
      yield Buffer.from('day,value\n2024-01-01,1\n');
      reached.resolve();
      await opened.promise;
      yield Buffer.from('2024-01-02,2\n');
    })();
    const upload = {
      workspace: id,
      name: 'late',
      declared: { encoding: null, header: null, delimiter: null, dates: null },
      body,
    };
    const uploading = outcomeOf(uploadCsvFile(csvContext(service.database), principalOf(member), upload));
    await reached.promise;
    await revoke(owner, `${WORKSPACES}/${id}`, collaborator);
    opened.resolve();
    assert.equal(await uploading, 'WORKSPACE_DENIED', what);
    const files = await sql`SELECT id FROM csv_file`.execute(service.database.query());
    assert.deepEqual(files.rows, [], what);
  }
});

forEachService('adds forecasts that a member creates to its scope', async (service, owner) => {
  const member = await register(service);
  const { id } = await makeWorkspace(service.database, owner.id);
  const first = await createForecast(service.forecasts, principalOf(owner), requestIn(id), OPTIONS);
  const scope: MembershipSpec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: [first] };
  await makeMember(service.database, id, member.id, { role: 'editor', ...scope });
  const second = await createForecast(service.forecasts, principalOf(member), requestIn(id), OPTIONS);
  const third = await reproduceForecast(service.forecasts, principalOf(member), second, OPTIONS);
  const { forecasts_scope_ids: listed } = await service.database
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select('forecasts_scope_ids')
    .where('account_id', '=', member.id)
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(listed, [first, second, third]);
  for (const forecast of listed) {
    assert.equal((await member.request('GET', `/v1/ensemble-forecasts/${forecast}`)).status, 200);
  }
});

const kind = testedKind;

test(`stores a forecast if and only if its request succeeds during a removal, ${ROUNDS} times [${kind}]`, async () => {
  await using service = await openForecastService(kind);
  const owner = await register(service, { plan: 'enterprise' });
  const member = await register(service, { plan: 'enterprise' });
  const { id } = await makeWorkspace(service.database, owner.id);
  const seen = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
    const before = await countForecasts(service);
    const creating = outcomeOf(createForecast(service.forecasts, principalOf(member), requestIn(id), OPTIONS));
    const removing = new Promise((resolve) => setTimeout(resolve, round % 12)).then(() =>
      owner.request('DELETE', `${WORKSPACES}/${id}/collaborators/${collaborator}`),
    );
    const [created, removed] = await Promise.all([creating, removing]);
    assert.equal(removed.status, 200);
    assert.ok(created === 'done' || created === 'WORKSPACE_DENIED', created);
    assert.equal((await countForecasts(service)) - before, created === 'done' ? 1 : 0);
    seen.set(created, (seen.get(created) ?? 0) + 1);
    await cancelAll(service);
  }
  assert.ok(isLedgerSound(await checkLedger(service.database)), JSON.stringify([...seen]));
});

/** Cancels queued forecasts, because the number of slots is limited. */
async function cancelAll({ database, forecasts: jobs }: ForecastService): Promise<void> {
  const open = await database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'job_id', 'queue'])
    .where('status', '=', 'queued')
    .execute();
  for (const forecast of open) await cancelUnfinished(jobs, forecast);
}
