import type { Account } from '../../../src/access/index.ts';
import { identityOf, MIGRATIONS, openData } from '../../../src/compose/index.ts';
import { EventRequestBody, type SeriesDescription } from '../../../src/contract/index.ts';
import type { RawBar } from '../../../src/market/index.ts';
import { createLog, type Database, readSigningKey } from '../../../src/platform/index.ts';
import { checkDueEvents, createEvent, type ScoutContext } from '../../../src/scout/index.ts';
import type { EventRow, ScoutTables } from '../../../src/scout/tables.ts';
import { makeAccount } from '../identity/callers.ts';
import { type MovableClock, movableClock } from '../identity/identity.ts';
import { memoryProvider } from '../market/memory-provider.ts';
import { principalOf } from '../workspaces/workspaces.ts';
import { eventRequest } from './events.ts';

export const SCOUT_MIGRATIONS = MIGRATIONS;

/** Scout over a test database, by a clock that the test moves, with a provider whose bars it can change. */
export interface ScoutScene {
  readonly context: ScoutContext & { readonly clock: MovableClock };
  readonly author: Account;
  readonly bars: RawBar[];
  /** What the provider throws instead of an answer. */
  failure: Error | null;
  /** How often it was asked. */
  asked: number;
  /** A question with the rule that the close of that day is above the threshold. */
  ask(observedAt: string, fields?: object, rule?: object): Promise<EventRow>;
  read(id: string): Promise<EventRow>;
  check(): Promise<number>;
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
  const { id, email } = await makeAccount(identityOf(database), { password: null });
  const author = principalOf({ id, email });
  const bars: RawBar[] = [];
  const provider = {
    ...memoryProvider({
      rows: bars,
      asked: () => {
        scene.asked++;
      },
      fails: () => scene.failure,
    }),
    describe: async () => DESCRIPTION,
  };
  const { sources } = openData({ database, clock, log, providers: [provider] });
  const context = { database, clock, sources, cursorKey: () => readSigningKey(database, 'cursors') };
  const scene: ScoutScene = {
    context,
    author,
    bars,
    failure: null,
    asked: 0,
    ask(observedAt, fields = {}, rule = {}) {
      const deadline = new Date(
        Math.max(Date.parse(observedAt), clock.now().getTime()) + 20 * 86_400_000,
      ).toISOString();
      const at = observedAt.includes('T') ? observedAt : `${observedAt}T00:00:00Z`;
      const body = eventRequest({
        input_cutoff_at: clock.now().toISOString(),
        resolution_deadline: deadline,
        resolution_rule: { ...RULE, observed_at: at, ...rule },
        ...fields,
      });
      return createEvent(context, author, EventRequestBody.parse(body));
    },
    read: (eventId) =>
      database
        .query<ScoutTables>()
        .selectFrom('event_forecast')
        .selectAll()
        .where('id', '=', eventId)
        .executeTakeFirstOrThrow(),
    check: () => checkDueEvents(context, { log }),
  };
  return scene;
}

/** The bar of a day. */
export function barOf(day: string, close: number): RawBar {
  const timestamp = Date.parse(`${day}T00:00:00Z`);
  return { timestamp, open: close, high: close + 1, low: close - 1, close, volume: 1_000 };
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
