import { Client } from 'pg';

/** Runs statements on a connection of their own. Returns the rows of the last one. */
export async function runAt(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
