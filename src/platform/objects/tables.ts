import type { Generated } from 'kysely';

/** An object in the object storage. */
export interface StoredObjectTable {
  key: string;
  /** `pending` while it is written, `used` while a part names it, `unused` until it is deleted. */
  state: 'pending' | 'used' | 'unused';
  /** Whether the database that a backup was made of names the object as well. It is then never deleted. */
  shared: Generated<boolean>;
  changed_at: Date;
}

/** A part of the bytes of a large thing. Either `data` or `object` is null. */
export interface StoredPartTable {
  /** The id of the thing, such as that of a snapshot. */
  thing: string;
  position: number;
  bytes: number;
  sha256: string;
  data: Uint8Array | null;
  object: string | null;
}

export interface ObjectTables {
  stored_object: StoredObjectTable;
  stored_part: StoredPartTable;
}
