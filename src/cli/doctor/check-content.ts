import { remedyFor } from '../commands/provider-remedies.ts';
import type { DatabaseFacts } from './database-facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type Content = NonNullable<DatabaseFacts['content']>;

/** As the page of administrators: workers look after the queues every ten seconds. */
const WORKER_AWAY_SECONDS = 90;
const LATE_SECONDS = 300;
const UNSERVED_SECONDS = 120;
const STAMP_LATE_SECONDS = 86_400;

/** Describes the workers, queues, providers and stamps that the database knows. */
export function describeContent(content: Content): Finding[] {
  return [
    ...describeQueues(content),
    ...describeProviders(content),
    describeStamps(content),
    ...describeRotations(content),
  ];
}

function describeQueues({ queues, engines, workerSeenSeconds }: Content): Finding[] {
  const findings: Finding[] = [];
  if (workerSeenSeconds === null || workerSeenSeconds > WORKER_AWAY_SECONDS) {
    const seen = workerSeenSeconds === null ? 'was ever seen' : `was seen for ${formatSeconds(workerSeenSeconds)}`;
    findings.push(problem('worker', `No worker ${seen}.`, 'Start the service, or almanac worker.'));
  } else {
    findings.push(ok('worker', `A worker was seen ${formatSeconds(workerSeenSeconds)} ago.`));
  }
  for (const { engine, waiting, oldestSeconds, workers } of engines) {
    if (waiting === 0 || workers > 0 || oldestSeconds <= UNSERVED_SECONDS) continue;
    const message = `${waiting} forecasts wait for engine ${engine ?? 'of an older build'}, and no worker has it.`;
    findings.push(problem('queue', message, 'Start a worker of the build with this engine, or cancel them.'));
  }
  const late = queues.filter(({ waiting, oldestSeconds }) => waiting > 0 && oldestSeconds > LATE_SECONDS);
  for (const { name, waiting, oldestSeconds } of late) {
    const message = `The oldest of ${waiting} jobs in the queue ${name} has waited for ${formatSeconds(oldestSeconds)}.`;
    findings.push(problem('queue', message, `Start more workers, or read the log for errors of ${name}.`));
  }
  if (!findings.some(({ check }) => check === 'queue')) {
    const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
    findings.push(ok('queue', `${waiting} jobs wait, none for longer than ${formatSeconds(LATE_SECONDS)}.`));
  }
  return findings;
}

function describeProviders({ providers, checks }: Content): Finding[] {
  const paused = providers.filter(({ state }) => state !== 'closed');
  const failed = checks?.filter(({ fault }) => fault !== null) ?? [];
  const findings = [
    ...failed.map(({ id, fault, message }) => {
      return problem('providers', message ?? `${id} returned no rows.`, remedyFor(id, fault as never) ?? 'Try again.');
    }),
    ...paused.map(({ id, failure }) => {
      const message = `Requests to ${id} are paused, because they failed${failure === null ? '' : ` (${failure})`}.`;
      return warning('providers', message, `Run almanac providers check ${id}.`);
    }),
  ];
  if (findings.length > 0) return findings;
  const names = providers.map(({ id }) => id).join(', ') || 'none';
  const how = checks === null ? 'not asked now; --online asks them' : 'all of them replied';
  return [ok('providers', `Configured: ${names} (${how}).`)];
}

function describeStamps({ stamper: { kind, oldestSeconds, reasons } }: Content): Finding {
  if (oldestSeconds !== null && oldestSeconds > STAMP_LATE_SECONDS) {
    const because = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    const message = `A proof has waited for its stamp for ${formatSeconds(oldestSeconds)}${because}.`;
    const step =
      kind === null
        ? 'Configure a stamper again; see docs/receipts.md.'
        : 'See docs/runbook/AlmanacProofsNotStamped.md.';
    return warning('stamper', message, step);
  }
  if (kind === null) return ok('stamper', 'Not configured; proofs are not stamped.');
  return ok('stamper', `Proofs are stamped by ${kind}; none has waited for a day.`);
}

function describeRotations({ rotations: { earlier, webhooks } }: Content): Finding[] {
  const unfinished =
    webhooks === 0
      ? []
      : [
          warning(
            'secrets',
            `The key of webhooks was rotated, and ${webhooks} of them still have a secret of an earlier key.`,
            'Ask their owners to rotate it, or run almanac secret rotate webhook EMAIL for each account.',
          ),
        ];
  const dated = earlier.filter(({ until }) => until !== null);
  const names = [...new Set(dated.map(({ kind, until }) => `${kind} until ${until?.slice(0, 10)}`))].join(', ');
  if (dated.length > 0) return [...unfinished, ok('secrets', `An earlier key is still accepted: ${names}.`)];
  return unfinished.length > 0 ? unfinished : [ok('secrets', 'No rotation of a secret is unfinished.')];
}

/** @example formatSeconds(7_300) // '2 h' */
function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
