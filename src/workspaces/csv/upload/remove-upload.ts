import type { CsvContext } from '../context.ts';
import type { CsvTables } from '../tables.ts';

/** Longer than any request takes. */
const GIVEN_UP_AFTER_MS = 3_600_000;

/** Takes back an upload that was not finished, with the chunks it has stored. */
export async function removeUpload({ database }: Pick<CsvContext, 'database'>, fileId: string): Promise<void> {
  await database
    .query<CsvTables>()
    .deleteFrom('csv_file')
    .where('id', '=', fileId)
    .where('ready_at', 'is', null)
    .execute();
}

/** The same for uploads whose process ended before it could. */
export async function removeAbandonedUploads({ database, clock }: Omit<CsvContext, 'cursorKey'>): Promise<void> {
  const before = new Date(clock.now().getTime() - GIVEN_UP_AFTER_MS);
  await database
    .query<CsvTables>()
    .deleteFrom('csv_file')
    .where('ready_at', 'is', null)
    .where('created_at', '<', before)
    .execute();
}
