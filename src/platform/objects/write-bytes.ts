import { createHash, randomUUID } from 'node:crypto';
import type { Database, Executor } from '../database/database.ts';
import { storedTooLate } from '../faults.ts';
import type { ObjectContent, ObjectStorage } from './object-storage.ts';
import type { ObjectTables, StoredPartTable } from './tables.ts';

/** The largest number of bytes that one value of the database or one object has. */
export const MAX_PART_BYTES = 1024 ** 2;

type NewPart = Omit<StoredPartTable, 'thing'>;

/** The bytes of a large thing: those that its row stores itself, or parts. */
export type PlacedBytes =
  | { readonly packed: Uint8Array; readonly packed_bytes: null; readonly parts: readonly [] }
  | { readonly packed: null; readonly packed_bytes: number; readonly parts: readonly NewPart[] };

/**
 * Places the bytes of a new thing: in objects, if the database has a storage for new things, and otherwise in its row or, if
 * they are too many for one value, in parts. Objects are written here. Call `insertParts` in the statement or transaction
 * that stores the row; objects whose row is not stored within an hour are deleted.
 *
 * @param executor in a transaction, no object is written, because a transaction sends no requests
 */
export async function placeBytes(executor: Executor, kind: string, bytes: Uint8Array, now: Date): Promise<PlacedBytes> {
  const objects = storageOf(executor);
  if (objects?.acceptsNew) return placeInObjects(executor, objects, kind, bytes, now);
  return placeInDatabase(bytes);
}

/** Returns the storage of a database; null for a transaction. */
export function storageOf(executor: Executor): ObjectStorage | null {
  return (executor as Partial<Database>).objects ?? null;
}

export function placeInDatabase(bytes: Uint8Array): PlacedBytes {
  if (bytes.length <= MAX_PART_BYTES) return { packed: bytes, packed_bytes: null, parts: [] };
  const parts = splitBytes(bytes).map((data, position) => ({ position, ...contentOf(data), data, object: null }));
  return { packed: null, packed_bytes: bytes.length, parts };
}

/** Writes the bytes of a thing as objects, which are pending until `insertParts` or `claimObjects` claims them. */
export async function placeInObjects(
  executor: Executor,
  objects: ObjectStorage,
  kind: string,
  bytes: Uint8Array,
  now: Date,
): Promise<PlacedBytes> {
  const parts = splitBytes(bytes).map((data) => ({ data, ...contentOf(data) }));
  const placed: NewPart[] = [];
  for (const [position, { data, ...content }] of parts.entries()) {
    const object = await writeObject(executor, objects, kind, data, now);
    placed.push({ position, ...content, data: null, object });
  }
  return { packed: null, packed_bytes: bytes.length, parts: placed };
}

/** Writes bytes as an object of its own, which is pending. Returns its key. */
export async function writeObject(
  executor: Executor,
  objects: ObjectStorage,
  kind: string,
  data: Uint8Array,
  now: Date,
): Promise<string> {
  // The random part keeps the deletion of one object from deleting equal content of another thing.
  const key = `${objects.prefix}${kind}/${contentOf(data).sha256}-${randomUUID()}`;
  await executor
    .query<ObjectTables>()
    .insertInto('stored_object')
    .values({ key, state: 'pending', changed_at: now })
    .execute();
  await objects.put(key, data);
  return key;
}

/** Stores the parts of a thing, whose row the same transaction stores. Throws a fault if an object was given up. */
export async function insertParts(
  executor: Executor,
  thing: string,
  parts: readonly NewPart[],
  now: Date,
): Promise<void> {
  await claimObjects(executor, parts, now);
  // One at a time, so that no statement has more than the bytes of one part.
  for (const part of parts)
    await executor
      .query<ObjectTables>()
      .insertInto('stored_part')
      .values({ thing, ...part })
      .execute();
}

/** Marks pending objects as used. Throws a fault if one was given up because it took too long. */
export async function claimObjects(
  executor: Executor,
  parts: readonly Pick<NewPart, 'object'>[],
  now: Date,
): Promise<void> {
  const keys = parts.flatMap(({ object }) => object ?? []);
  if (keys.length === 0) return;
  const claimed = await executor
    .query<ObjectTables>()
    .updateTable('stored_object')
    .set({ state: 'used', changed_at: now })
    .where('key', 'in', keys)
    .where('state', '=', 'pending')
    .returning('key')
    .execute();
  if (claimed.length < keys.length) throw storedTooLate();
}

export function contentOf(data: Uint8Array): ObjectContent {
  return { bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') };
}

function splitBytes(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / MAX_PART_BYTES));
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * MAX_PART_BYTES, (i + 1) * MAX_PART_BYTES));
}
