import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Executor } from '../database/database.ts';
import { objectStorageNotConfigured } from '../faults.ts';
import { DamagedObjectError, type ObjectStorage } from './object-storage.ts';
import { readPart, readParts } from './read-bytes.ts';
import type { ObjectTables } from './tables.ts';
import { claimObjects, contentOf, insertParts, MAX_PART_BYTES, placeInObjects, writeObject } from './write-bytes.ts';

/** The place that large things move to. */
export type MoveTarget = 's3' | 'database';

/** The values of a primary key. */
export type ThingKey = readonly (string | number)[];

/** A table whose rows have their bytes in `packed` or, if `packed_bytes` is set, in parts. */
export interface MovableThings {
  readonly kind: 'snapshots' | 'uploads';
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** Returns the thing that the parts of a row belong to. */
  thingOf(key: ThingKey): string;
  /** Returns whether the bytes are those that the row describes; true if the row was removed. */
  isIntact(executor: Executor, key: ThingKey, packed: Uint8Array): Promise<boolean>;
}

/** What one step has moved. */
export interface MoveStep {
  readonly moved: number;
  readonly bytes: number;
  /** The things whose bytes are damaged or missing. They were not moved. */
  readonly damaged: readonly string[];
  /** The key of the last thing, after which the next step begins; null if there are no more. */
  readonly next: ThingKey | null;
}

export interface MoveContext {
  readonly database: Database;
  readonly clock: Clock;
}

const STEP_THINGS = 50;
/** A step ends after this time, so that the caller can show the progress. */
const STEP_MS = 3_000;

/**
 * Moves the next things to a place, each with all its bytes. The bytes are written and read again before the row names
 * them, in one transaction that also removes the old ones from the database; old objects are deleted later. Things that
 * change or disappear in the meantime are left alone, so readers, writers and other moves can run at the same time.
 */
export async function moveThings(
  context: MoveContext,
  things: MovableThings,
  target: MoveTarget,
  after: ThingKey | null,
): Promise<MoveStep> {
  const { database } = context;
  const { objects } = database;
  if (objects === null) throw objectStorageNotConfigured();
  const startedAt = performance.now();
  const keys = await listMovable(database, things, target, after);
  const damaged: string[] = [];
  let moved = 0;
  let bytes = 0;
  let last: ThingKey | null = null;
  for (const key of keys) {
    if (last !== null && performance.now() - startedAt > STEP_MS) return { moved, bytes, damaged, next: last };
    last = key;
    const movedBytes = await moveThing({ ...context, objects }, things, target, key).catch((error: unknown) => {
      if (!(error instanceof DamagedObjectError)) throw error;
      damaged.push(things.thingOf(key));
      return null;
    });
    if (movedBytes === null) continue;
    moved += 1;
    bytes += movedBytes;
  }
  return { moved, bytes, damaged, next: keys.length < STEP_THINGS ? null : last };
}

interface MoveParts extends MoveContext {
  readonly objects: ObjectStorage;
}

/** Returns the number of moved bytes; null if the thing was removed or moved by another process. */
async function moveThing(
  parts: MoveParts,
  things: MovableThings,
  target: MoveTarget,
  key: ThingKey,
): Promise<number | null> {
  const { database } = parts;
  const row = await readRow(database, things, key);
  if (row === undefined) return null;
  const { packed, packed_bytes: size } = row;
  const inline = packed ?? null;
  const thing = things.thingOf(key);
  const bytes = inline ?? (await readParts(database, thing, size ?? 0));
  if (bytes === null) return null;
  if (!(await things.isIntact(database, key, bytes))) throw new DamagedObjectError(thing);
  if (target === 'database') return (await moveToDatabase(parts, things, key, bytes)) ? bytes.length : null;
  const isMoved =
    inline === null ? await movePartsToObjects(parts, things, key) : await moveToObjects(parts, things, key, inline);
  return isMoved ? bytes.length : null;
}

async function moveToObjects(
  { database, clock, objects }: MoveParts,
  things: MovableThings,
  key: ThingKey,
  packed: Uint8Array,
): Promise<boolean> {
  const now = clock.now();
  const placed = await placeInObjects(database, objects, things.kind, packed, now);
  for (const part of placed.parts) await verifyObject(objects, part.object as string, part);
  return database.transaction(async (tx) => {
    const { rows } = await sql`
      UPDATE ${sql.table(things.table)} SET packed = NULL, packed_bytes = ${packed.length}::integer
      WHERE ${hasKey(things, key)} AND packed IS NOT NULL RETURNING 1`.execute(tx.query());
    if (rows.length === 0) return false;
    await insertParts(tx, things.thingOf(key), placed.parts, now);
    return true;
  });
}

async function movePartsToObjects(
  { database, clock, objects }: MoveParts,
  things: MovableThings,
  key: ThingKey,
): Promise<boolean> {
  const thing = things.thingOf(key);
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM stored_part WHERE thing = ${thing} AND data IS NOT NULL ORDER BY position`.execute(
    database.query(),
  );
  let isMoved = false;
  for (const { position } of rows) {
    const data = await readPart(database, thing, position);
    if (data === null) return false;
    const now = clock.now();
    const object = await writeObject(database, objects, things.kind, data, now);
    await verifyObject(objects, object, contentOf(data));
    isMoved = await database.transaction(async (tx) => {
      const changed = await tx
        .query<ObjectTables>()
        .updateTable('stored_part')
        .set({ data: null, object })
        .where('thing', '=', thing)
        .where('position', '=', position)
        .where('data', 'is not', null)
        .returning('position')
        .execute();
      if (changed.length === 0) return false;
      await claimObjects(tx, [{ object }], now);
      return true;
    });
  }
  return isMoved;
}

/** Reads an object that was just written, because only then may the old bytes be dropped. */
async function verifyObject(
  objects: ObjectStorage,
  key: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): Promise<void> {
  if ((await objects.get(key, { bytes, sha256 })) === null) throw new DamagedObjectError(key, 'missing');
}

/** The deletion of the parts leaves their objects to `removeUnusedObjects`. */
function moveToDatabase(
  { database }: MoveParts,
  things: MovableThings,
  key: ThingKey,
  bytes: Uint8Array,
): Promise<boolean> {
  const thing = things.thingOf(key);
  return database.transaction(async (tx) => {
    // Locked first, like a removal of the row, which then removes the parts.
    const { rows } = await sql`
      SELECT 1 FROM ${sql.table(things.table)} WHERE ${hasKey(things, key)} AND packed IS NULL FOR UPDATE`.execute(
      tx.query(),
    );
    if (rows.length === 0) return false;
    if (bytes.length <= MAX_PART_BYTES) {
      await sql`
        UPDATE ${sql.table(things.table)} SET packed = ${bytes}::bytea, packed_bytes = NULL
        WHERE ${hasKey(things, key)}`.execute(tx.query());
      await tx.query<ObjectTables>().deleteFrom('stored_part').where('thing', '=', thing).execute();
      return true;
    }
    const parts = await tx
      .query<ObjectTables>()
      .selectFrom('stored_part')
      .select(['position', 'bytes'])
      .where('thing', '=', thing)
      .orderBy('position')
      .execute();
    let from = 0;
    for (const part of parts) {
      await tx
        .query<ObjectTables>()
        .updateTable('stored_part')
        .set({ data: bytes.subarray(from, from + part.bytes), object: null })
        .where('thing', '=', thing)
        .where('position', '=', part.position)
        .execute();
      from += part.bytes;
    }
    return true;
  });
}

interface PackedRow {
  readonly packed: Uint8Array | null;
  readonly packed_bytes: number | null;
}

async function readRow(executor: Executor, things: MovableThings, key: ThingKey): Promise<PackedRow | undefined> {
  const { rows } = await sql<PackedRow>`
    SELECT packed, packed_bytes FROM ${sql.table(things.table)} WHERE ${hasKey(things, key)}`.execute(executor.query());
  return rows[0];
}

/** Returns the keys of the next things that are not in their place, in order. */
async function listMovable(
  executor: Executor,
  things: MovableThings,
  target: MoveTarget,
  after: ThingKey | null,
): Promise<ThingKey[]> {
  const columns = sql.join(things.key.map((name) => sql.ref(name)));
  const thing = sql.join(
    things.key.map((name) => sql`${sql.ref(name)}::text`),
    sql` || '/' || `,
  );
  const isMovable =
    target === 's3'
      ? sql`packed IS NOT NULL OR EXISTS (SELECT FROM stored_part WHERE thing = ${thing} AND data IS NOT NULL)`
      : sql`packed IS NULL AND EXISTS (SELECT FROM stored_part WHERE thing = ${thing} AND object IS NOT NULL)`;
  const isAfter = after === null ? sql`true` : sql`(${columns}) > (${sql.join([...after])})`;
  const { rows } = await sql<Record<string, string | number>>`
    SELECT ${columns} FROM ${sql.table(things.table)} WHERE ${isAfter} AND (${isMovable})
    ORDER BY ${columns} LIMIT ${STEP_THINGS}`.execute(executor.query());
  return rows.map((row) => things.key.map((name) => row[name] as string | number));
}

function hasKey({ key: names }: MovableThings, key: ThingKey): RawBuilder<unknown> {
  return sql.join(
    names.map((name, i) => sql`${sql.ref(name)} = ${key[i]}`),
    sql` AND `,
  );
}
