import { z } from 'zod';

/** The version of what is inside of the encrypted file. */
export const BACKUP_FORMAT = 1;

const Migration = z.object({ domain: z.string(), name: z.string(), hash: z.string().nullable() });

/** The first record: what must be known before the rows are read. */
export const About = z.object({
  format: z.literal(BACKUP_FORMAT),
  created_at: z.iso.datetime(),
  /** The version of the build that made the backup. */
  build: z.string(),
  engine: z.string(),
  database: z.enum(['pglite', 'postgres']),
  migrations: z.array(Migration),
  /** The version of the tables of pg-boss; null if no service has started on the database. */
  queue: z.number().nullable(),
  /** The checkpoints that were installed in the data folder. They are not part of the backup. */
  checkpoints: z.array(z.string()),
});
export type About = z.output<typeof About>;

export const TableStart = z.object({ name: z.string(), columns: z.array(z.string()) });
export type TableStart = z.output<typeof TableStart>;

const Summary = z.object({ rows: z.number(), bytes: z.number(), digest: z.string() });

export const StoredFile = z.object({ name: z.string(), content: z.base64() });
export type StoredFile = z.output<typeof StoredFile>;

/** The last record. */
export const Manifest = About.extend({
  tables: z.array(TableStart.extend(Summary.shape)),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
});
export type Manifest = z.output<typeof Manifest>;
