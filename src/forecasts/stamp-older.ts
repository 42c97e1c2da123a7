import type { Database } from '../platform/index.ts';
import { type NewProof, requestStamps, type StampPolicy } from '../provenance/index.ts';
import type { ForecastTables } from './tables.ts';

/** The number of proofs that one statement hands over. */
const BATCH_SIZE = 500;

/** How many proofs were found, and how many of them were not handed over before. */
export interface OlderStamps {
  readonly found: number;
  readonly requested: number;
}

/** Hands the proof of a completed forecast over to be stamped, whether or not the policy selects it. */
export async function stampForecast(database: Database, id: string, now: Date): Promise<OlderStamps> {
  const row = await database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'content_cid'])
    .where('id', '=', id)
    .executeTakeFirst();
  const proofs = toProofs(row === undefined ? [] : [row]);
  return { found: proofs.length, requested: await requestStamps(database, proofs, now) };
}

/** Hands the proofs of forecasts that completed since an instant over to be stamped, if the policy selects them. */
export async function stampForecastsSince(
  database: Database,
  { selection }: StampPolicy,
  since: Date,
  now: Date,
): Promise<OlderStamps> {
  let found = 0;
  let requested = 0;
  let after = '';
  for (;;) {
    const rows = await database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select(['id', 'content_cid'])
      .where('content_cid', 'is not', null)
      .where('finished_at', '>=', since)
      .where('id', '>', after)
      .$if(selection === 'accounts', (all) => all.where('guest_id', 'is', null))
      .$if(selection === 'public', (all) => all.where('visibility', '=', 'public'))
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    requested += await requestStamps(database, toProofs(rows), now);
    found += rows.length;
    if (rows.length < BATCH_SIZE) return { found, requested };
    after = rows.at(-1)?.id ?? after;
  }
}

function toProofs(rows: readonly { readonly id: string; readonly content_cid: string | null }[]): NewProof[] {
  return rows.flatMap(({ id, content_cid }) =>
    content_cid === null ? [] : [{ contentCid: content_cid, kind: 'forecast' as const, subject: id }],
  );
}
