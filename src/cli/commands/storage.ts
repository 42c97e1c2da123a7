import { z } from 'zod';
import type { Executor, MovableThings, ThingKey } from '../../platform/index.ts';
import { adminCommand } from '../command.ts';

/** The kinds of large things, in the order in which they are moved. */
export const MOVED_KINDS = ['snapshots', 'uploads'] as const;

type Kind = (typeof MOVED_KINDS)[number];

async function loadThings(kind: Kind): Promise<MovableThings> {
  if (kind === 'snapshots') return (await import('../../snapshots/index.ts')).MOVABLE_SNAPSHOTS;
  return (await import('../../workspaces/index.ts')).MOVABLE_CHUNKS;
}

async function readStatus(database: Executor) {
  const { countPlaces, countUnusedObjects } = await import('../../platform/index.ts');
  const [snapshots, uploads] = await Promise.all(
    MOVED_KINDS.map(async (kind) => countPlaces(database, await loadThings(kind))),
  );
  return { snapshots, uploads, unused_objects: await countUnusedObjects(database) };
}

export type StorageStatus = Awaited<ReturnType<typeof readStatus>>;

export const storageCommands = [
  adminCommand({
    name: 'storage status',
    arguments: [],
    options: {},
    summary: 'Counts the snapshots and parts of uploaded files in the database and in the object storage.',
    example: 'storage status',
    input: z.strictObject({}),
    readInput: () => ({}),
    execute: ({ database }) => readStatus(database),
  }),
];

/** The operations that `storage move` runs. They are not commands of their own. */
export const STORAGE_STEPS = [
  adminCommand({
    name: 'storage move step',
    arguments: [],
    options: {},
    summary: 'Moves some things.',
    example: 'storage move --to s3',
    input: z.strictObject({
      kind: z.enum(MOVED_KINDS),
      to: z.enum(['s3', 'database']),
      after: z.array(z.union([z.string(), z.int()])).nullable(),
    }),
    readInput: () => ({}),
    async execute({ database, clock }, { kind, to, after }) {
      const { moveThings } = await import('../../platform/index.ts');
      return moveThings({ database, clock }, await loadThings(kind), to, after as ThingKey | null);
    },
  }),
];
