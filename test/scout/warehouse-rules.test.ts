import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/calendar/index.ts';
import { createIdentityContext } from '../../src/compose/index.ts';
import { EventRequestBody, Fault, type WarehouseReference } from '../../src/contract/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import { findRuleSource } from '../../src/scout/from-forecast/create-from-forecast.ts';
import { checkDueEvents, createEvent, type ScoutContext } from '../../src/scout/index.ts';
import { createSourceRegistry, type ReadWindow, type SeriesSource } from '../../src/snapshots/index.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { eventRequest } from '../support/scout/events.ts';
import { moveTo, onScout } from '../support/scout/scout-scene.ts';
import { principalOf } from '../support/workspaces/workspaces.ts';

const SOURCE: WarehouseReference = {
  type: 'warehouse_table',
  table: 'bigquery-public-data.weather.daily',
  time_field: 'date',
  value_field: 'mean',
};
const OBSERVED = Date.parse('2026-03-10T00:00:00Z');

onScout('rules on warehouse tables are read for the account of each author', async (scene, database) => {
  const { clock } = scene.context;
  const accounts: (string | undefined)[] = [];
  let refused: string | null = null;
  const source: Partial<SeriesSource<WarehouseReference>> = {
    type: 'warehouse_table',
    authorize: async () => {},
    async read(_reference, { accountId }: ReadWindow) {
      accounts.push(accountId);
      if (accountId === refused) throw new Fault('RATE_LIMITED', 'source: no reads are left in this hour.');
      return {
        table: { timestamps: Float64Array.of(OBSERVED), columns: { mean: Float64Array.of(120) } },
        cadence: { frequency: '1D', kind: 'plain' },
        valueField: 'mean',
        provider: 'bigquery',
        about: { source: SOURCE, title: 'Weather', units: '', frequency: '1D' },
      };
    },
  };
  const context: ScoutContext = { ...scene.context, sources: createSourceRegistry([source as SeriesSource]) };
  const identity = createIdentityContext({ database, clock: systemClock });
  const other = principalOf(await makeAccount(identity, { password: null }));
  const body = EventRequestBody.parse(
    eventRequest({
      input_cutoff_at: clock.now().toISOString(),
      resolution_deadline: new Date(OBSERVED + 20 * DAY_MS).toISOString(),
      resolution_rule: {
        type: 'threshold',
        source: SOURCE,
        op: 'gt',
        threshold: 100,
        observed_at: new Date(OBSERVED).toISOString(),
      },
    }),
  );
  const ended = { ...SOURCE, end: '2026-03-09T00:00:00Z' };
  const rule = { ...(body.resolution_rule as NonNullable<typeof body.resolution_rule>), source: ended };
  await assert.rejects(createEvent(context, scene.author, { ...body, resolution_rule: rule }), {
    code: 'INVALID_REQUEST',
    message: /^resolution_rule\.source\.end: rows after it are never read/,
  });
  const audience = { visibility: 'private', workspaceId: null } as const;
  assert.deepEqual(await findRuleSource(context, scene.author, ended, audience), SOURCE, 'questions from a forecast');
  const own = await createEvent(context, scene.author, body);
  const second = await createEvent(context, scene.author, { ...body, question: 'Will the mean exceed 100 again?' });
  const theirs = await createEvent(context, other, { ...body, question: 'Will their mean exceed 100?' });
  assert.deepEqual(accounts.splice(0), [scene.author.accountId, scene.author.accountId, other.accountId]);

  moveTo(scene, OBSERVED + 10 * DAY_MS);
  refused = scene.author.accountId;
  assert.equal(await checkDueEvents(context, { log: createLog('silent') }), 3);
  assert.deepEqual(accounts.toSorted(), [scene.author.accountId, other.accountId].toSorted(), 'one read per author');
  const [one, two, three] = await Promise.all([own, second, theirs].map(({ id }) => scene.readEvent(id)));
  assert.deepEqual([one?.status, two?.status, three?.status], ['pending', 'pending', 'resolved_yes']);
  assert.equal(one?.check_state, 'provider_failed');
  assert.match(one?.check_message ?? '', /no reads are left/);
});
