import type { Config, MoveStep, MoveTarget } from '../../platform/index.ts';
import { type CommandValues, FailedCheckError, type LocalCommand, type Terminal, UsageError } from '../command.ts';
import { CommandFailure, EXIT_CODES } from '../exit-codes.ts';
import { formatBar, startProgress } from '../progress.ts';
import { openOperations } from '../run-operation.ts';
import { MOVED_KINDS, type StorageStatus } from './storage.ts';

const TARGETS: readonly MoveTarget[] = ['s3', 'database'];

export const moveStorageCommands: LocalCommand[] = [
  {
    name: 'storage move',
    arguments: [],
    options: {
      to: { type: 'string', value: 'PLACE', isRequired: true, choices: TARGETS, help: 'the place to move to' },
    },
    summary:
      'Moves snapshots and uploaded files to the object storage or to the database while the service runs; can be repeated.',
    example: 'storage move --to s3',
    run: moveStorage,
  },
];

/** What a move did, as it is printed. */
interface MoveReport {
  readonly to: MoveTarget;
  readonly moved: number;
  readonly bytes: number;
  /** The things that were already there, or changed or disappeared in the meantime. */
  readonly skipped: number;
  readonly damaged: readonly string[];
}

async function moveStorage(
  config: Config,
  _args: readonly string[],
  { to }: CommandValues,
  { stderr }: Terminal,
): Promise<MoveReport> {
  const target = TARGETS.find((place) => place === to);
  if (target === undefined) throw new UsageError('--to must be s3 or database.');
  await using operations = await openOperations(config, stderr);
  using progress = startProgress(stderr);
  const status = (await operations.run('storage status', {})) as StorageStatus;
  const places = MOVED_KINDS.map((kind) => status[kind]);
  const countIn = (place: MoveTarget) => places.reduce((sum, counts) => sum + (counts?.[place].things ?? 0), 0);
  const total = countIn(target === 's3' ? 'database' : 's3');
  let moved = 0;
  let bytes = 0;
  const damaged: string[] = [];
  for (const kind of MOVED_KINDS) {
    let after: MoveStep['next'] = null;
    do {
      if (progress.signal.aborted) {
        throw new CommandFailure(
          EXIT_CODES.interrupted,
          `The move was stopped after ${moved} things. Run it again to continue.`,
        );
      }
      const step = (await operations.run('storage move step', { kind, to: target, after })) as MoveStep;
      moved += step.moved;
      bytes += step.bytes;
      damaged.push(...step.damaged);
      after = step.next;
      progress.show(`moving to ${target} ${formatBar(Math.min(moved, total), total)}`, false);
    } while (after !== null);
  }
  progress.show(`moved ${moved} to ${target}`, true);
  const report = {
    to: target,
    moved,
    bytes,
    skipped: countIn(target) + Math.max(0, total - moved - damaged.length),
    damaged,
  };
  if (damaged.length === 0) return report;
  throw new FailedCheckError(
    report,
    `${damaged.length} things were not moved, because their bytes are damaged or missing. The line on standard output lists them.`,
  );
}
