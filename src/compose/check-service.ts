import { sql } from 'kysely';
import { checkForecastJobs, checkForecastProofs, checkLedger, checkStorage } from '../forecasts/index.ts';
import { checkReferences, type Executor, readQueueVersion } from '../platform/index.ts';
import { checkRevisionProofs } from '../scout/index.ts';
import { checkSnapshots } from '../snapshots/index.ts';
import { checkFiles } from '../workspaces/index.ts';

export const CHECKS = ['ledger', 'storage', 'references', 'snapshots', 'files', 'proofs', 'queue'] as const;
export type CheckName = (typeof CHECKS)[number];

/** Something that is not as it must be. */
export interface Finding {
  readonly check: CheckName;
  /** What it is about, such as the id of a forecast. */
  readonly subject: string;
  readonly problem: string;
  readonly remedy: string;
}

export interface CheckReport {
  readonly sound: boolean;
  /** How many things each check looked at. */
  readonly checked: Readonly<Record<CheckName, number>>;
  readonly findings: readonly Finding[];
}

const RESTORE = 'Restore a backup from before the damage (docs/backup.md).';

interface CheckResult {
  readonly checked: number;
  readonly findings: readonly Omit<Finding, 'check'>[];
}

const RUN: Readonly<Record<CheckName, (executor: Executor) => Promise<CheckResult>>> = {
  async ledger(executor) {
    const { entries, unbalanced, open, slots } = await checkLedger(executor);
    const remedy = 'Credits of this payer are wrong until the end of its month. Report it with the line.';
    return {
      checked: entries,
      findings: [
        ...unbalanced.map((subject) => ({
          subject,
          problem: 'The entries of the transfer do not add up to 0.',
          remedy,
        })),
        ...open.map((line) => ({
          subject: line.split(':', 1)[0] ?? line,
          problem: `The credits do not match: ${line}.`,
          remedy,
        })),
        ...slots.map(({ owner, active, expected }) => ({
          subject: owner,
          problem: `${active} slots are counted, and ${expected} forecasts are queued or running.`,
          remedy: `Set active to ${expected} in the table admission for this owner while no forecast of it runs.`,
        })),
      ],
    };
  },

  async storage(executor) {
    const miscounted = await checkStorage(executor);
    const { rows } = await sql<{ payers: number }>`SELECT count(*)::float8 AS payers FROM stored_bytes`.execute(
      executor.query(),
    );
    return {
      checked: rows[0]?.payers ?? 0,
      findings: miscounted.map(({ payer, counted, stored }) => ({
        subject: payer,
        problem: `${counted} bytes are counted, and ${stored} are stored.`,
        remedy: `Set bytes to ${stored} in the table stored_bytes for this payer.`,
      })),
    };
  },

  async references(executor) {
    const { checked, broken } = await checkReferences(executor);
    return {
      checked,
      findings: broken.map(({ table, columns, target, rows }) => ({
        subject: `${table}.${columns.join('+')}`,
        problem: `${rows} ${rows === 1 ? 'row refers' : 'rows refer'} to rows of ${target} that do not exist.`,
        remedy: RESTORE,
      })),
    };
  },

  async snapshots(executor) {
    const { checked, damaged } = await checkSnapshots(executor);
    const remedy = `Forecasts of this snapshot cannot be reproduced. ${RESTORE}`;
    return { checked, findings: damaged.map(({ id, problem }) => ({ subject: id, problem, remedy })) };
  },

  async files(executor) {
    const { checked, damaged } = await checkFiles(executor);
    const remedy = `Upload the file again, or restore a backup from before the damage (docs/backup.md).`;
    return { checked, findings: damaged.map(({ id, problem }) => ({ subject: id, problem, remedy })) };
  },

  async proofs(executor) {
    const [forecasts, revisions] = [await checkForecastProofs(executor), await checkRevisionProofs(executor)];
    const mismatches = await findOtherStamps(executor);
    return {
      checked: forecasts.checked + revisions.checked,
      findings: [
        ...[...forecasts.damaged, ...revisions.damaged].map(({ id, problem }) => ({
          subject: id,
          problem,
          remedy: RESTORE,
        })),
        ...mismatches.map((subject) => ({
          subject,
          problem: 'Another content id than that of its proof was handed over to be stamped.',
          remedy: RESTORE,
        })),
      ],
    };
  },

  async queue(executor) {
    if ((await readQueueVersion(executor)) === null) return { checked: 0, findings: [] };
    const { lost, orphans } = await checkForecastJobs(executor);
    const { rows } = await sql<{ jobs: number }>`
      SELECT count(*)::float8 AS jobs FROM forecast WHERE status IN ('queued', 'running')`.execute(executor.query());
    return {
      checked: rows[0]?.jobs ?? 0,
      findings: [
        ...lost.map((subject) => ({
          subject,
          problem: 'The forecast waits, and the queue has no job for it.',
          remedy: 'Cancel it, which returns its credits, then reproduce it.',
        })),
        ...orphans.map((subject) => ({
          subject,
          problem: 'The queue has a job for a forecast that does not exist.',
          remedy: 'A worker ends the job when it takes it. If it stays, remove the row from queue.job.',
        })),
      ],
    };
  },
};

/** Returns the forecasts and revisions whose stamp is for another document. */
async function findOtherStamps(executor: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM forecast WHERE content_cid IS NOT NULL
      AND EXISTS (SELECT FROM proof WHERE kind = 'forecast' AND subject = forecast.id)
      AND NOT EXISTS (SELECT FROM proof WHERE content_cid = forecast.content_cid)
    UNION ALL
    SELECT id FROM event_revision WHERE content_cid IS NOT NULL
      AND EXISTS (SELECT FROM proof WHERE kind = 'event_revision' AND subject = event_revision.id)
      AND NOT EXISTS (SELECT FROM proof WHERE content_cid = event_revision.content_cid)
    ORDER BY id`.execute(executor.query());
  return rows.map(({ id }) => id);
}

/** Checks everything that a service stores against what it must be. It changes nothing and can run while services run. */
export async function checkService(executor: Executor): Promise<CheckReport> {
  const checked: Partial<Record<CheckName, number>> = {};
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    const result = await RUN[check](executor);
    checked[check] = result.checked;
    findings.push(...result.findings.map((finding) => ({ check, ...finding })));
  }
  return { sound: findings.length === 0, checked: checked as CheckReport['checked'], findings };
}
