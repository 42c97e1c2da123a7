import { type Account, ALL_LICENSES } from '../../../src/access/index.ts';
import { DAY_MS } from '../../../src/calendar/index.ts';
import { createIdentityContext, MIGRATIONS, openData } from '../../../src/compose/index.ts';
import { EventRequestBody, type SeriesDescription } from '../../../src/contract/index.ts';
import type { RawBar } from '../../../src/market/index.ts';
import { createLog, type Database, readSigningKeys, systemClock } from '../../../src/platform/index.ts';
import { checkDueEvents, createEvent, type ScoutContext } from '../../../src/scout/index.ts';
import type { EventRow } from '../../../src/scout/tables.ts';
import { makeAccount } from '../identity/callers.ts';
import { type MovableClock, movableClock } from '../identity/identity.ts';
import { memoryProvider } from '../market/memory-provider.ts';
import { forEachDatabase } from '../platform/database.ts';
import { principalOf } from '../workspaces/workspaces.ts';
import { eventRequest, NO_STAMPS, readEventRow } from './events.ts';

export const SCOUT_MIGRATIONS = MIGRATIONS;

/** Scout on a test database, with a clock that the test moves and a provider whose bars it changes. */
export interface ScoutScene {
  readonly context: ScoutContext & { readonly clock: MovableClock };
  readonly author: Account;
  readonly bars: RawBar[];
  /** The error with which the provider fails, if any. */
  failure: Error | null;
  /** How many requests the provider got. */
  requests: number;
  /** Publishes a question whether the close of a day is above a threshold, with a rule. */
  publish(observedAt: string, fields?: object, rule?: object): Promise<EventRow>;
  readEvent(id: string): Promise<EventRow>;
  runChecks(): Promise<number>;
}

const START = '2026-03-02T15:00:00.000Z';
const SYMBOL = 'KNOWN';

export const RULE = {
  type: 'threshold',
  source: { type: 'market', symbol: SYMBOL, timeframe: '1D', provider: 'alpaca' },
  op: 'gt',
  threshold: 100,
} as const;

export async function openScout(database: Database): Promise<ScoutScene> {
  const clock = movableClock(START);
  const log = createLog('silent');
  const { id, email } = await makeAccount(createIdentityContext({ database, clock: systemClock }), { password: null });
  const author = principalOf({ id, email });
  const bars: RawBar[] = [];
  const provider = {
    ...memoryProvider({
      rows: bars,
      onRequest: () => {
        scene.requests++;
      },
      fails: () => scene.failure,
    }),
    describe: async () => DESCRIPTION,
  };
  const { sources } = openData({ database, clock, log, providers: [provider], adapters: [], licenses: ALL_LICENSES });
  const context = {
    database,
    clock,
    sources,
    stamps: NO_STAMPS,
    cursorKey: () => readSigningKeys(database, 'cursors'),
  };
  const scene: ScoutScene = {
    context,
    author,
    bars,
    failure: null,
    requests: 0,
    publish(observedAt, fields = {}, rule = {}) {
      const deadline = new Date(Math.max(Date.parse(observedAt), clock.now().getTime()) + 20 * DAY_MS).toISOString();
      const at = observedAt.includes('T') ? observedAt : `${observedAt}T00:00:00Z`;
      const body = eventRequest({
        input_cutoff_at: clock.now().toISOString(),
        resolution_deadline: deadline,
        resolution_rule: { ...RULE, observed_at: at, ...rule },
        ...fields,
      });
      return createEvent(context, author, EventRequestBody.parse(body));
    },
    readEvent: (eventId) => readEventRow(database, eventId),
    runChecks: () => checkDueEvents(context, { log }),
  };
  return scene;
}

export function makeBar(day: string, close: number): RawBar {
  const timestamp = Date.parse(`${day}T00:00:00Z`);
  return { timestamp, open: close, high: close + 1, low: close - 1, close, volume: 1_000 };
}

/** Runs a test on every tested database. */
export function onScout(name: string, body: (scene: ScoutScene, database: Database) => Promise<void>): void {
  forEachDatabase(name, { migrations: SCOUT_MIGRATIONS }, async ({ database }) =>
    body(await openScout(database), database),
  );
}

export function moveTo({ context: { clock } }: ScoutScene, instant: number): void {
  clock.advance(instant - clock.now().getTime());
}

const DESCRIPTION: SeriesDescription = {
  provider: 'alpaca',
  title: 'Known shares',
  frequency: '1D',
  time_field: 'timestamp',
  values: [{ field: 'close', label: 'Closing price', units: 'USD' }],
  dimensions: [],
  units: 'USD',
  span: { start: '2026-01-02T00:00:00.000Z', end: '2026-02-27T00:00:00.000Z' },
  rows: 40,
  reporting_period: 'session',
  vintage: 'revised',
  publisher: 'A test',
  license: { name: 'None', url: null },
  notes: null,
};
