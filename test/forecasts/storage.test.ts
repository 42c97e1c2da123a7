import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Account } from '../../src/access/index.ts';
import { checkStorage, deleteForecast, findForecast, freeFailedSnapshots } from '../../src/forecasts/index.ts';
import { reproduceForecast } from '../../src/forecasts/reproduce-forecast.ts';
import { uploadCsvFile } from '../../src/workspaces/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { FORECASTS, type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { simulateTime } from '../support/forecasts/guest-day.ts';
import { withKey } from '../support/identity/callers.ts';
import { testedKind } from '../support/platform/database.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { csvContext, inPieces, UNDECLARED } from '../support/workspaces/csv-files.ts';
import { makeWorkspace, principalOf } from '../support/workspaces/workspaces.ts';

const KIB = 1024;

/** A forecast of 1,000 random rows counts a little less: about 6 KiB for its snapshot and 4.5 KiB for the rest. */
const ONE = 12 * KIB;

describe(`storage budgets [${testedKind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(testedKind);
    await service.forecasts.guestNetworkKey();
  });
  after(() => service?.[Symbol.asyncDispose]());

  async function openAccount(): Promise<Account> {
    const { accountId } = await service.account();
    return principalOf({ id: accountId ?? '', email: 'owner@example.org' });
  }

  const reproduce = (time: ReturnType<typeof simulateTime>, caller: Account, id: string) =>
    reproduceForecast(time.context, caller, id, { idempotencyKey: null, network: null });

  test('the oldest canceled forecast loses its snapshot first; then creations are refused and change nothing', async () => {
    const owner = await openAccount();
    const plans = { free: KIB, pro: 28 * KIB, enterprise: KIB };
    const time = simulateTime(service, { storage: { plans } });
    const read = (id: string) => findForecast(time.context, owner, id, 'forecast.read');
    const oldest = await time.create(owner);
    await time.cancel(owner, oldest);
    time.clock.advance(1_000);
    const newer = await time.create(owner);
    await time.cancel(owner, newer);
    const kept = await time.create(owner);
    assert.deepEqual([(await read(oldest)).snapshot_id, (await read(newer)).snapshot_id === null], [null, false]);
    await assert.rejects(reproduce(time, owner, oldest), { code: 'UNPROCESSABLE', message: /snapshot .* was removed/ });
    const request = requestAs(service.app, await withKey(service.identity, owner.accountId));
    const shown = await request<{ status: string; snapshot: { rows: number; removed_at: string } }>(
      'GET',
      `${FORECASTS}/${oldest}`,
    );
    assert.deepEqual([shown.status, shown.data.status, shown.data.snapshot.rows], [200, 'failed', 1_000]);
    assert.ok(shown.data.snapshot.removed_at);

    // The next one takes the snapshot of the other canceled forecast; after it nothing is left to remove.
    const last = await time.create(owner, { rows: 200 });
    assert.equal((await read(newer)).snapshot_id, null);
    const before = await readStored();
    const refusal = { code: 'LIMIT_REACHED', message: /at most 28 KiB .*DELETE \/v1\/ensemble-forecasts/ };
    await assert.rejects(time.create(owner), refusal);
    await assert.rejects(reproduce(time, owner, kept), refusal);
    assert.deepEqual(await readStored(), before);
    await deleteForecast(time.context, owner, kept);
    await deleteForecast(time.context, owner, last);
    await time.create(owner);
    assert.deepEqual(await checkStorage(service.database), []);
  });

  /** Reads everything except snapshots, which are frozen before the transaction and removed when nothing holds them. */
  async function readStored() {
    const { 'public.snapshot': _, ...rows } = await readComparableRows(service.database);
    return rows;
  }

  test('the guests of a network share a budget', async () => {
    const time = simulateTime(service, { storage: { guest: 2 * ONE, network: 3 * ONE } });
    const [anna, bert] = [await time.newGuest(), await time.newGuest()];
    const network = '198.51.100.7';
    const create = async (guest: typeof anna) => {
      const id = await time.create(guest, { network });
      await sql`UPDATE forecast SET status = 'completed', result = '{}' WHERE id = ${id}`.execute(
        service.database.query(),
      );
      await sql`UPDATE admission SET active = 0`.execute(service.database.query());
      return id;
    };
    const first = await create(anna);
    await create(anna);
    await assert.rejects(create(anna), { code: 'LIMIT_REACHED', message: /A guest can store at most 24 KiB/ });
    await create(bert);
    await assert.rejects(create(bert), { code: 'LIMIT_REACHED', message: /guests of your network .* 36 KiB/ });
    await deleteForecast(time.context, anna, first);
    await create(bert);
    assert.deepEqual(await checkStorage(service.database), []);
  });

  test('files and forecasts of all workspaces count toward their owner, and a shared snapshot counts once', async () => {
    const owner = await openAccount();
    const [one, two] = [await makeWorkspace(service.database, owner.accountId), await openWorkspace(owner)];
    const limits = { workspace: 30 * KIB, plans: { free: KIB, pro: 50 * KIB, enterprise: KIB } };
    const time = simulateTime(service, { storage: limits });
    const upload = (workspace: string, bytes: number) =>
      uploadCsvFile(
        { ...csvContext(service.database), storage: time.context.storage, freeBytes: freeFailedSnapshots(time.clock) },
        owner,
        { workspace, name: 'x', declared: UNDECLARED, body: inPieces(`a,b\n${'1,2\n'.repeat(bytes / 4)}`) },
      );
    await upload(one.id, 20 * KIB);
    await assert.rejects(upload(one.id, 12 * KIB), { code: 'LIMIT_REACHED', message: /A workspace can store/ });
    const original = await time.create(owner, { workspaceId: two.id, rows: 500 });
    await reproduce(time, owner, original);
    await upload(two.id, 8 * KIB);
    // A canceled forecast gives way to a file.
    const canceled = await time.create(owner, { rows: 300 });
    await time.cancel(owner, canceled);
    await assert.rejects(upload(two.id, 9 * KIB), { code: 'LIMIT_REACHED' });
    assert.ok((await findForecast(time.context, owner, canceled, 'forecast.read')).snapshot_id);
    assert.deepEqual(await checkStorage(service.database), []);
    const { rows } = await sql`SELECT id FROM csv_file WHERE ready_at IS NULL`.execute(service.database.query());
    assert.deepEqual(rows, [], 'a refused upload leaves nothing');
  });

  const openWorkspace = (owner: Account) => makeWorkspace(service.database, owner.accountId);

  const skip = testedKind !== 'postgres' && 'races need several connections: TEST_DATABASE_URL is not set';

  test('of concurrent creations and uploads in several workspaces, only what fits is stored', { skip }, async () => {
    for (let round = 0; round < 4; round++) {
      const owner = await openAccount();
      const plans = { free: KIB, pro: 28 * KIB, enterprise: KIB };
      const time = simulateTime(service, { seed: round + 1, storage: { plans } });
      const [one, two] = [await openWorkspace(owner), await openWorkspace(owner)];
      const upload = uploadCsvFile({ ...csvContext(service.database), storage: time.context.storage }, owner, {
        workspace: one.id,
        name: 'x',
        declared: UNDECLARED,
        body: inPieces(`a,b\n${'1,2\n'.repeat(3 * KIB)}`),
      });
      const creations = [one.id, two.id, undefined].map((workspaceId) =>
        time.create(owner, workspaceId === undefined ? {} : { workspaceId }),
      );
      const outcomes = await Promise.allSettled<unknown>([upload, ...creations]);
      const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'stored' : outcome.reason.code));
      assert.deepEqual(codes.sort(), ['LIMIT_REACHED', 'LIMIT_REACHED', 'stored', 'stored']);
      assert.deepEqual(await checkStorage(service.database), []);
    }
  });
});
