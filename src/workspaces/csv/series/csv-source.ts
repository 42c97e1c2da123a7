import { type Account, decideCaller, type Principal } from '../../../access/index.ts';
import { type Cadence, isCompleted } from '../../../calendar/index.ts';
import { Fault, type WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import type { SeriesSource, SeriesTable } from '../../../snapshots/index.ts';
import { requirePlace } from '../../place.ts';
import { findCsvFile, findNamedFile } from '../find-csv-file.ts';
import type { CsvFileRow } from '../tables.ts';
import { authorizeFrozen } from './authorize-frozen.ts';
import { chooseNumbers, chooseTimes } from './choose-columns.ts';
import { collectRows } from './collect-rows.ts';
import { type DatedRows, dateRows, MAX_ROWS } from './date-rows.ts';
import { describeSeries, PROVIDER } from './describe-series.ts';
import type { CollectedRows } from './ordered-rows.ts';

interface ReadFile extends Pick<DatedRows, 'rows' | 'datedBy'> {
  readonly file: CsvFileRow;
  readonly cadence: Cadence;
}

/** Two columns of a file of a workspace as a series. Search does not list them: they are their workspace's alone. */
export function createCsvSource({ database }: { readonly database: Database }): SeriesSource<WorkspaceCsvReference> {
  async function readFile(reference: WorkspaceCsvReference, signal?: AbortSignal): Promise<ReadFile> {
    signal?.throwIfAborted();
    const file = await findNamedFile(database, reference.workspace_id, reference.csv_id);
    const time = chooseTimes(file.columns, reference.time_field);
    const value = chooseNumbers(file.columns, reference.value_field);
    const collected = await collectRows(database, file, { time, value }, signal);
    signal?.throwIfAborted();
    const { rows, datedBy, frequency } = dateRows(collected);
    return { file, rows, datedBy, cadence: { frequency, kind: 'plain' } };
  }

  return {
    type: 'workspace_csv',
    list: async () => [],
    canonical: (reference) => reference,

    async describe(reference, signal) {
      const { file, rows, cadence } = await readFile(reference, signal);
      return describeSeries(reference, file, rows, cadence.frequency);
    },

    async authorize(principal, reference) {
      const place = await requirePlace(database, accountOf(principal), reference.workspace_id, 'csv.read');
      await findCsvFile(database, place, reference.csv_id);
    },

    authorizeFrozen: (principal, reference, use) => authorizeFrozen(database, principal, reference, use),

    /** Without a cutoff all rows, those of today and later included: a file says itself what it holds. */
    async read(reference, { cutoff = Number.POSITIVE_INFINITY, limit = MAX_ROWS, signal }) {
      const { file, rows, datedBy, cadence } = await readFile(reference, signal);
      const { time_field, value_field } = reference;
      return {
        table: completed(rows, value_field, cadence, cutoff, limit),
        cadence,
        valueField: value_field,
        provider: PROVIDER,
        about: {
          source: {
            type: 'workspace_csv',
            workspace_id: file.workspace_id,
            csv_id: file.id,
            time_field,
            value_field,
          },
          // What the file is called and what else is in it is not for everybody who may read the forecast.
          units: '',
          frequency: cadence.frequency,
          ...(datedBy !== null && { dated_by: datedBy }),
        },
      };
    },
  };
}

/** Who can have a place in a workspace at all, with a credential that reaches into one. */
function accountOf(principal: Principal): Account {
  const decision = decideCaller(principal, 'csv.read');
  if (decision.allowed && principal.kind === 'account') return principal;
  const { code, missingScope } = decision.allowed ? { code: 'ACCOUNT_REQUIRED' as const } : decision;
  if (missingScope === undefined) throw new Fault(code, 'Files of a workspace are for the accounts that are in it.');
  throw new Fault(code, `source: reading a file takes the scope ${missingScope}.`, { missingScope });
}

/** The rows whose period had ended, and of these the last ones. */
function completed(
  { times, values }: CollectedRows,
  field: string,
  cadence: Cadence,
  cutoff: number,
  limit: number,
): SeriesTable {
  // They are in order: what has ended is a beginning of them.
  let end = times.length;
  while (end > 0 && !isCompleted(cadence, times[end - 1] as number, cutoff)) end--;
  const start = Math.max(0, end - limit);
  return { timestamps: times.slice(start, end), columns: { [field]: values.slice(start, end) } };
}
