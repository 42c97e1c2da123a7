import { Kysely, PostgresDialect } from 'kysely';
import { Client } from 'pg';
import type { Executor } from '../database/index.ts';
import { SET_NO_TIMEOUTS } from '../database/session-settings.ts';
import { asText, valueParsers } from '../database/values.ts';
import { COPY_HEADER, COPY_TRAILER, RowCutter } from './copied-rows.ts';
import { copyIn, copyOut } from './copy-query.ts';
import { listColumns, type TableAccess } from './table-access.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens a connection with one transaction. For reading, the transaction sees the database as it is now, and blocks no
 * writer. @param url of the server itself, because the connection has settings of its own
 */
export async function openPostgresTables(url: string, mode: 'read' | 'write'): Promise<TableAccess> {
  const client = new Client({
    connectionString: url,
    application_name: 'almanac-backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: (type: number) => valueParsers.get(type) ?? asText },
  });
  // Without this listener, a connection that breaks between two statements would end the process.
  client.on('error', () => undefined);
  const close = () => client.end();
  await client.connect();
  try {
    await client.query(SET_NO_TIMEOUTS);
    await client.query("set time zone 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'");
    await client.query(
      mode === 'read' ? 'begin isolation level repeatable read read only' : 'begin isolation level read committed',
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: 'postgres',
    executor: executorOf(client),
    runScript: async (text) => {
      await client.query(text);
    },
    async *readRows(table) {
      const cutter = new RowCutter();
      const query = `COPY (SELECT ${listColumns(table)} FROM ${table.sql}) TO STDOUT WITH (FORMAT binary)`;
      for await (const chunk of copyOut(client, query) as AsyncIterable<Buffer>) {
        const rows = cutter.cut(chunk);
        if (rows.length > 0) yield rows;
      }
      cutter.requireEnd();
    },
    writeRows: (table, pieces) =>
      copyIn(client, `COPY ${table.sql} (${listColumns(table)}) FROM STDIN WITH (FORMAT binary)`, frame(pieces)),
    commit: async () => {
      await client.query('commit');
    },
    // Ending the connection rolls back what was not committed.
    [Symbol.asyncDispose]: close,
  };
}

async function* frame(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield COPY_HEADER;
  yield* pieces;
  yield COPY_TRAILER;
}

/** Returns an executor whose statements run on the connection, in its open transaction. */
function executorOf(client: Client): Executor {
  const connection = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined };
  const dialect = new PostgresDialect({ pool: pool as never });
  const kysely = new Kysely<unknown>({ dialect });
  return { query: <Tables>() => kysely as unknown as Kysely<Tables> };
}
