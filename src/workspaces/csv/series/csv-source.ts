import { type Account, decide, decideCaller, type Principal } from '../../../access/index.ts';
import { type Cadence, isCompleted } from '../../../calendar/index.ts';
import { Fault, type WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Clock, Database } from '../../../platform/index.ts';
import type { SeriesSource, SeriesTable } from '../../../snapshots/index.ts';
import { findMembership } from '../../find-membership.ts';
import { requirePlace, workspaceDenied } from '../../place.ts';
import { findCsvFile, findNamedFile } from '../find-csv-file.ts';
import type { CsvFileRow } from '../tables.ts';
import { chooseNumbers, chooseTimes } from './choose-columns.ts';
import { collectRows } from './collect-rows.ts';
import { describeSeries, PROVIDER } from './describe-series.ts';
import { frequencyOf, MOST_ROWS } from './frequency-of.ts';
import type { CollectedRows } from './ordered-rows.ts';

interface Context {
  readonly database: Database;
  readonly clock: Clock;
}

interface ReadFile {
  readonly file: CsvFileRow;
  readonly rows: CollectedRows;
  readonly cadence: Cadence;
}

/** Two columns of a file of a workspace as a series. Search does not list them: they are their workspace's alone. */
export function createCsvSource({ database, clock }: Context): SeriesSource<WorkspaceCsvReference> {
  async function readFile(reference: WorkspaceCsvReference, signal?: AbortSignal): Promise<ReadFile> {
    signal?.throwIfAborted();
    const file = await findNamedFile(database, reference.workspace_id, reference.csv_id);
    const time = chooseTimes(file.columns, reference.time_field);
    const value = chooseNumbers(file.columns, reference.value_field);
    const rows = await collectRows(database, file, { time, value }, signal);
    signal?.throwIfAborted();
    return { file, rows, cadence: { frequency: frequencyOf(rows), kind: 'plain' } };
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

    /** A file that is gone bounds nobody; one that is there must be in the member's scope. */
    async authorizeFrozen(principal, reference) {
      const account = accountOf(principal);
      const place = await findMembership(database, account.accountId, reference.workspace_id);
      const isThere = await findNamedFile(database, reference.workspace_id, reference.csv_id).then(
        () => true,
        (error) => {
          if (error instanceof Fault && error.code === 'NOT_FOUND') return false;
          throw error;
        },
      );
      const resource = { membership: place, ...(isThere && { id: reference.csv_id }) };
      if (!decide(account, 'csv.read', resource).allowed) throw workspaceDenied();
    },

    async read(reference, { cutoff = clock.now().getTime(), limit = MOST_ROWS, signal }) {
      const { file, rows, cadence } = await readFile(reference, signal);
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
          title: file.name,
          units: '',
          frequency: cadence.frequency,
          file_sha256: file.sha256,
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
