import assert from 'node:assert/strict';
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { listRemovals } from '../../src/compose/cleanup.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import type { Database, Removal, Transaction } from '../../src/platform/index.ts';
import { addListedForecasts } from '../support/forecasts/listed-forecasts.ts';
import { makeAccount } from '../support/identity/callers.ts';
import { DAY, movableIdentity } from '../support/identity/identity.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

/** The number of forecasts and the like. Each has ten events. */
const ROWS = 3_000;

/** The tables that every batch reads in the order of an index. */
const TABLES: Readonly<Record<Removal['kind'], string>> = {
  failed_snapshots: 'forecast',
  progress_events: 'forecast_event',
  security_events: 'security_event',
  mail_lines: 'notification_line',
  mails: 'notification_mail',
  screener_mails: 'screener_mail',
  deliveries: 'webhook_delivery',
  outbox_events: 'outbox_event',
};

forEachDatabase(
  'finds old rows by an index among many, whether few or most are old',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const { clock } = identity;
    await fill(database, (await makeAccount(identity, { password: null })).id, clock.now());
    const { retention } = loadTestConfig();
    const kinds = new Set<string>();
    for (const days of [410, 700, 1_401]) {
      for (const removal of listRemovals(retention, new Date(clock.now().getTime() + days * DAY))) {
        const plan = await explain(database, removal);
        const scan = new RegExp(`Seq Scan on ${TABLES[removal.kind]}\\b`);
        assert.doesNotMatch(plan, scan, `${removal.kind} after ${days} days\n${plan}`);
        assert.match(plan, /Index (Only )?Scan/, plan);
        kinds.add(removal.kind);
      }
    }
    assert.deepEqual([...kinds].sort(), Object.keys(TABLES).sort());
  },
);

/** Stores rows of every kind that spread evenly over the thousand days after a time. */
async function fill(database: Database, accountId: string, from: Date): Promise<void> {
  const at = (n: number) => new Date(from.getTime() + (1_000 * DAY * n) / ROWS).toISOString();
  const forecasts = Array.from({ length: ROWS }, (_, n) => ({
    owner: accountId,
    status: n % 2 === 0 ? ('completed' as const) : ('failed' as const),
    createdAt: at(n),
    finishedAt: at(n),
  }));
  // The triggers that count stored bytes would count those of the account again for each forecast.
  await sql`ALTER TABLE forecast DISABLE TRIGGER USER`.execute(database.query());
  await addListedForecasts(database, forecasts);
  await sql`ALTER TABLE forecast ENABLE TRIGGER USER`.execute(database.query());
  const when = sql`${from}::timestamptz + n * interval '1000 days' / ${ROWS}::int`;
  const rows = sql`generate_series(1, ${ROWS}::int) AS n`;
  const statements = [
    sql`
      INSERT INTO forecast_event (forecast_id, number, kind, data, created_at)
      SELECT id, number, CASE WHEN number < 10 THEN 'progress' ELSE status END, '{}', finished_at
      FROM forecast, generate_series(1, 10) AS number`,
    sql`
      INSERT INTO security_event (id, account_id, kind, at, details)
      SELECT 'sev_' || n, ${accountId}, 'signed_in', ${when}, '{}' FROM ${rows}`,
    sql`INSERT INTO notification_choice VALUES (${accountId}, true, true, ${from})`,
    sql`
      INSERT INTO notification_mail (id, account_id, state, attempts, send_at, ended_at, created_at)
      SELECT 'mail_' || n, ${accountId}, 'sent', 1, ${when}, ${when}, ${when} FROM ${rows}`,
    sql`
      INSERT INTO notification_line (event_id, account_id, type, forecast_id, mail_id, created_at)
      SELECT 'oev_' || n, ${accountId}, 'forecast.completed', 'ef_' || n, 'mail_' || n, ${when} FROM ${rows}`,
    sql`
      INSERT INTO screener_mail (id, account_id, session, state, attempts, created_at, updated_at, sent_at)
      SELECT 'mail_' || n, ${accountId}, ${from}::date + n, 'sent', 1, ${when}, ${when}, ${when} FROM ${rows}`,
    sql`
      INSERT INTO webhook (id, account_id, url, types, created_at, updated_at)
      VALUES ('wh_1', ${accountId}, 'https://receiver.example', '{}', ${from}, ${from})`,
    sql`
      INSERT INTO webhook_delivery (id, webhook_id, event_id, type, body, state, created_at, ended_at)
      SELECT 'dlv_' || n, 'wh_1', 'oev_' || n, 'forecast.completed', '{}', 'delivered', ${when}, ${when} FROM ${rows}`,
    sql`
      INSERT INTO outbox_event (id, type, subject, created_at, dispatched_at)
      SELECT 'oev_' || n, 'forecast.completed', 'ef_' || n, ${when}, ${when} FROM ${rows}`,
    sql`ANALYZE`,
  ];
  for (const statement of statements) await statement.execute(database.query());
}

/** Returns the plan of the first statement of a removal. */
async function explain(database: Database, removal: Removal): Promise<string> {
  const lines: string[] = [];
  const explaining: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind !== 'RawNode') return node;
      const [first, ...rest] = node.sqlFragments;
      return { ...node, sqlFragments: [`EXPLAIN ${first}`, ...rest] } as RootOperationNode;
    },
    transformResult: async ({ result }) => {
      lines.push(...result.rows.map((row) => String(row['QUERY PLAN'])));
      return { ...result, rows: [] };
    },
  };
  await database.transaction(async (tx) => {
    const query = () => tx.query().withPlugin(explaining);
    await removal.removeBatch({ ...tx, query } as unknown as Transaction, 200);
  });
  return lines.join('\n');
}
