import { sql } from 'kysely';
import { checkLedger, checkStorage, isLedgerSound } from '../../src/forecasts/index.ts';
import { openForecastService } from '../support/forecasts/forecast-service.ts';
import { countAllRows, simulateTime } from '../support/forecasts/guest-day.ts';
import { DAY } from '../support/identity/identity.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import type { Tally } from './kill-rounds.ts';

/** The networks from which the guests of a simulated day come. */
const NETWORKS = 8;

/**
 * Simulates a day of guests who create forecasts and cancel them, and then 31 quiet days. Fails unless every table has as
 * many rows, and after a vacuum about the size, that it had before.
 */
export async function runGuestStorm(kind: DatabaseKind, size: { guests: number; rounds: number }): Promise<Tally> {
  await using service = await openForecastService(kind);
  await service.forecasts.guestNetworkKey();
  const time = simulateTime(service);
  const before = { rows: await countAllRows(service), bytes: await measure(service) };
  for (let number = 0; number < size.guests; number++) {
    const guest = await time.newGuest();
    for (let round = 0; round < size.rounds; round++) {
      const id = await time.create(guest, { rows: 5_000, network: `203.0.113.${number % NETWORKS}` });
      await time.cancel(guest, id);
      time.clock.advance(DAY / (size.guests * size.rounds));
    }
  }
  const peak = await measure(service);
  await time.passDays(31);
  const rows = await countAllRows(service);
  const bytes = await measure(service);
  const left = Object.keys(rows).filter((name) => rows[name] !== before.rows[name]);
  const problems = [
    ...left.map((name) => `${name} has ${rows[name]} rows instead of ${before.rows[name]}`),
    // The last pages of catalogs and of the queue's statistics may differ.
    ...(bytes > before.bytes + 256 * 1024 ? [`${bytes} bytes are left instead of ${before.bytes}`] : []),
    ...(isLedgerSound(await checkLedger(service.database)) ? [] : ['the ledger does not add up']),
    ...(await checkStorage(service.database)).map(({ payer }) => `the bytes of ${payer} are miscounted`),
  ];
  for (const problem of problems) console.log(`guests on ${kind}: ${problem}`);
  const forecasts = size.guests * size.rounds;
  console.log(`guests on ${kind}: ${forecasts} forecasts, ${before.bytes} bytes, at most ${peak}, in the end ${bytes}`);
  return problems.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Returns the size of all tables, without the space of removed rows. */
async function measure({ database }: Parameters<typeof countAllRows>[0]): Promise<number> {
  await sql`VACUUM FULL`.execute(database.query());
  const { rows } = await sql<{ bytes: number }>`
    SELECT sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass))::float8 AS bytes
    FROM pg_tables WHERE schemaname = 'queue' OR schemaname = current_schema()`.execute(database.query());
  return rows[0]?.bytes ?? 0;
}
