import { createHash } from 'node:crypto';
import type { Executor } from '../database/database.ts';
import { objectStorageNotConfigured } from '../faults.ts';
import { DamagedObjectError } from './object-storage.ts';
import type { ObjectTables, StoredPartTable } from './tables.ts';
import { storageOf } from './write-bytes.ts';

/** The columns of a row whose bytes are in it or in parts. */
export interface PlacedRow {
  readonly packed: Uint8Array | null;
  /** The number of bytes in the parts; null if the row has the bytes. */
  readonly packed_bytes: number | null;
}

/** How often a row is read if its bytes move at the same time. */
const MAX_READS = 3;

/**
 * Reads a row and its bytes, wherever they are.
 *
 * @param readRow returns undefined if the row does not exist
 * @param thingOf returns the thing that the parts belong to
 *
 * @example const found = await readPlaced(database, () => findSnapshot(id), ({ id }) => id);
 */
export async function readPlaced<Row extends PlacedRow>(
  executor: Executor,
  readRow: () => Promise<Row | undefined>,
  thingOf: (row: Row) => string,
): Promise<{ readonly row: Row; readonly bytes: Uint8Array } | null> {
  for (let reads = 1; ; reads++) {
    const row = await readRow();
    if (row === undefined) return null;
    if (row.packed !== null) return { row, bytes: row.packed };
    const bytes = await readParts(executor, thingOf(row), row.packed_bytes ?? 0);
    if (bytes !== null) return { row, bytes };
    // The bytes have moved into the row, or the row was removed.
    if (reads === MAX_READS) throw new Error(`The parts of ${thingOf(row)} are missing.`);
  }
}

/** Returns the bytes of a thing after checking the hash of each part; null if a part does not exist. */
export async function readParts(executor: Executor, thing: string, size: number): Promise<Buffer | null> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let position = 0; length < size; position++) {
    const part = await readPart(executor, thing, position);
    if (part === null) return null;
    if (length + part.length > size) throw new DamagedObjectError(thing);
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

/** Returns a part after checking its hash; null if it does not exist. */
export async function readPart(executor: Executor, thing: string, position: number): Promise<Uint8Array | null> {
  for (let reads = 1; ; reads++) {
    const part = await executor
      .query<ObjectTables>()
      .selectFrom('stored_part')
      .selectAll()
      .where('thing', '=', thing)
      .where('position', '=', position)
      .executeTakeFirst();
    if (part === undefined) return null;
    const data = await readData(executor, part);
    if (data !== null) return data;
    // The part has moved while the object was requested. Otherwise the object is lost.
    if (reads === MAX_READS) throw new DamagedObjectError(String(part.object), 'missing');
  }
}

async function readData(executor: Executor, part: StoredPartTable): Promise<Uint8Array | null> {
  const { data, object, bytes, sha256 } = part;
  if (object !== null) {
    const objects = storageOf(executor);
    if (objects === null) throw objectStorageNotConfigured();
    return objects.get(object, { bytes, sha256 });
  }
  if (data !== null && createHash('sha256').update(data).digest('hex') === sha256) return data;
  throw new DamagedObjectError(`${part.thing}/${part.position}`);
}
