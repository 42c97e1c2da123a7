import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Fault, ForecastRequestBody } from '../../src/contract/index.ts';
import {
  cancelForecast,
  checkLedger,
  createForecast,
  findForecastFacts,
  isSound,
  type JobContext,
  reproduceForecast,
} from '../../src/forecasts/index.ts';
import type { JobTables } from '../../src/forecasts/tables.ts';
import { uploadCsvFile, type WorkspaceTables } from '../../src/workspaces/index.ts';
import { type ForecastService, inlineRequest, openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';
import {
  forEachService,
  makeMember,
  makeWorkspace,
  type PlaceSpec,
  principalOf,
  type Registered,
  register,
  WORKSPACES,
} from '../support/workspaces/workspaces.ts';

const ROUNDS = Number(process.env.ALMANAC_RACES ?? 25);
const OPTIONS = { idempotencyKey: null, network: null };

const requestIn = (workspace_id: string) =>
  ForecastRequestBody.parse(inlineRequest({ workspace_id, visibility: 'workspace' }));

/** The same, but a request waits once it has been let in and its rows are read. */
function gated(jobs: JobContext) {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = async () => {
    reached.resolve();
    await opened.promise;
  };
  const { checkpoints } = jobs;
  const context: JobContext = {
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

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}

async function countForecasts({ database }: ForecastService): Promise<number> {
  const rows = await database.query<JobTables>().selectFrom('forecast').select('id').execute();
  return rows.length;
}

type End = (owner: Registered, at: string, collaborator: string) => Promise<unknown>;

/** What can be done to a member whose request is under way, each of which ends its right to create. */
const ENDS: Record<string, End> = {
  'is removed': (owner, at, collaborator) => owner.ask('DELETE', `${at}/collaborators/${collaborator}`),
  'becomes a viewer': (owner, at, collaborator) =>
    owner.ask('PATCH', `${at}/collaborators/${collaborator}`, { role: 'viewer' }),
  'loses the scope': (owner, at, collaborator) =>
    owner.ask('PATCH', `${at}/collaborators/${collaborator}`, { resource_scope: { forecasts: { mode: 'none' } } }),
  'finds the workspace gone': (owner, at) => owner.ask('DELETE', at),
};

/** The same for uploads. */
const ENDS_UPLOAD: typeof ENDS = {
  'is removed': ENDS['is removed'] as End,
  'becomes a viewer': ENDS['becomes a viewer'] as End,
  'loses the scope': (owner, at, collaborator) =>
    owner.ask('PATCH', `${at}/collaborators/${collaborator}`, { resource_scope: { csv: { mode: 'none' } } }),
  'finds the workspace gone': ENDS['finds the workspace gone'] as End,
};

forEachService(
  'a member who loses its place while its request is under way creates nothing',
  async (service, owner) => {
    for (const [what, end] of Object.entries(ENDS)) {
      const member = await register(service);
      const { id } = await makeWorkspace(service.database, owner.id);
      const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
      const gate = gated(service.jobs);
      const creating = codeOf(createForecast(gate.context, principalOf(member), requestIn(id), OPTIONS));
      await gate.reached;
      await end(owner, `${WORKSPACES}/${id}`, collaborator);
      gate.open();
      assert.equal(await creating, 'WORKSPACE_DENIED', what);
      assert.equal(await countForecasts(service), 0, what);
    }
    assert.ok(isSound(await checkLedger(service.database)));
  },
);

forEachService('a removed member reproduces and cancels nothing either', async (service, owner) => {
  const member = await register(service);
  const { id } = await makeWorkspace(service.database, owner.id);
  const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
  const original = await createForecast(service.jobs, principalOf(owner), requestIn(id), OPTIONS);
  const found = await findForecastFacts(service.jobs, principalOf(member), original, 'forecast.cancel');
  const gate = gated(service.jobs);
  const again = codeOf(reproduceForecast(gate.context, principalOf(member), original, OPTIONS));
  await gate.reached;
  await owner.ask('DELETE', `${WORKSPACES}/${id}/collaborators/${collaborator}`);
  gate.open();
  assert.equal(await again, 'WORKSPACE_DENIED');
  assert.equal(await codeOf(cancelForecast(service.jobs, found, principalOf(member))), 'NOT_FOUND', 'not who made it');
  const { status } = await findForecastFacts(service.jobs, principalOf(owner), original, 'forecast.read');
  assert.equal(status, 'queued');
  assert.equal(await countForecasts(service), 1);
});

forEachService('a member who loses its place while its upload is under way adds nothing', async (service, owner) => {
  for (const [what, end] of Object.entries(ENDS_UPLOAD)) {
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
    const uploading = codeOf(uploadCsvFile(service.jobs, principalOf(member), upload));
    await reached.promise;
    await end(owner, `${WORKSPACES}/${id}`, collaborator);
    opened.resolve();
    assert.equal(await uploading, 'WORKSPACE_DENIED', what);
    const files = await sql`SELECT id FROM csv_file`.execute(service.database.query());
    assert.deepEqual(files.rows, [], what);
  }
});

forEachService('what a member with a list makes is in its list', async (service, owner) => {
  const member = await register(service);
  const { id } = await makeWorkspace(service.database, owner.id);
  const first = await createForecast(service.jobs, principalOf(owner), requestIn(id), OPTIONS);
  const scope: PlaceSpec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: [first] };
  await makeMember(service.database, id, member.id, { role: 'editor', ...scope });
  const second = await createForecast(service.jobs, principalOf(member), requestIn(id), OPTIONS);
  const third = await reproduceForecast(service.jobs, principalOf(member), second, OPTIONS);
  const { forecasts_scope_ids: listed } = await service.database
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select('forecasts_scope_ids')
    .where('account_id', '=', member.id)
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(listed, [first, second, third]);
  for (const forecast of listed) {
    assert.equal((await member.ask('GET', `/v1/ensemble-forecasts/${forecast}`)).status, 200);
  }
});

const kind = testedKind;

test(`a forecast and the removal of who asks for it, ${ROUNDS} times: it is there if it was answered [${kind}]`, async () => {
  await using service = await openForecastService(kind);
  const owner = await register(service, { plan: 'enterprise' });
  const member = await register(service, { plan: 'enterprise' });
  const { id } = await makeWorkspace(service.database, owner.id);
  const seen = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const collaborator = await makeMember(service.database, id, member.id, { role: 'editor' });
    const before = await countForecasts(service);
    const creating = codeOf(createForecast(service.jobs, principalOf(member), requestIn(id), OPTIONS));
    const removing = new Promise((resolve) => setTimeout(resolve, round % 12)).then(() =>
      owner.ask('DELETE', `${WORKSPACES}/${id}/collaborators/${collaborator}`),
    );
    const [created, removed] = await Promise.all([creating, removing]);
    assert.equal(removed.status, 200);
    assert.ok(created === 'done' || created === 'WORKSPACE_DENIED', created);
    assert.equal((await countForecasts(service)) - before, created === 'done' ? 1 : 0);
    seen.set(created, (seen.get(created) ?? 0) + 1);
    await cancelAll(service);
  }
  assert.ok(isSound(await checkLedger(service.database)), JSON.stringify([...seen]));
});

/** Slots are few. */
async function cancelAll({ database, jobs }: ForecastService): Promise<void> {
  const open = await database
    .query<JobTables>()
    .selectFrom('forecast')
    .select(['id', 'job_id'])
    .where('status', '=', 'queued')
    .execute();
  for (const forecast of open) await cancelForecast(jobs, forecast);
}
