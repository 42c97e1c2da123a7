import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openDatabase } from '../../../src/platform/database/index.ts';
import {
  fillTemplate,
  isLeftover,
  runName,
  type TemplateContent,
  type TemplateCopy,
  templateKey,
} from './database-template.ts';
import { markState } from './reset-database.ts';

/** Any number that nothing else on a test server locks. */
const LOCK = 7_778_742_049;

const poolerUrl = process.env.TEST_POOLER_URL;

const ready = new Map<string, Promise<string>>();
let count = 0;

/** Creates a database on the server with the content. With its files in memory it takes about 30 ms, including the drop. */
export async function copyOfPostgresTemplate(server: string, content: TemplateContent): Promise<TemplateCopy> {
  if (ready.size === 0) await removeLeftoverDatabases(server);
  const key = templateKey(content);
  const template = ready.get(key) ?? findOrCreateTemplate(server, `almanac_template_${key}`, content);
  ready.set(key, template);
  count += 1;
  const name = `almanac_test_${runName}_${count}`;
  const source = await template;
  // The default strategy: `file_copy` is slightly faster in memory, but waits seconds for a disk that syncs.
  await onServer(server, (admin) => admin.query(`create database ${name} template ${source}`));
  return {
    location: locationOf(server, name),
    remove: () => onServer(server, (admin) => dropDatabase(admin, name)),
  };
}

/** The direct address of a database and, if the run has a pooler, the address through it. */
function locationOf(server: string, name: string): TemplateCopy['location'] {
  const direct = databaseUrl(server, name);
  return poolerUrl === undefined ? { url: direct } : { url: databaseUrl(poolerUrl, name), directUrl: direct };
}

/**
 * Drops a database when its connections have ended, shortly after they are closed, or else by force. A pooler keeps its
 * connections.
 */
async function dropDatabase(admin: Client, name: string): Promise<void> {
  for (let tries = 0; tries < 50 && poolerUrl === undefined; tries += 1) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [name]);
    if (rowCount === 0) break;
    await sleep(10);
  }
  await admin.query(`drop database if exists ${name} with (force)`);
}

/** Drops the databases of killed runs. */
export function removeLeftoverDatabases(server: string): Promise<void> {
  return onServer(server, async (admin) => {
    const names = (await databaseNames(admin)).filter((name) => name.startsWith('almanac_test_') && isLeftover(name));
    for (const name of names) await dropDatabase(admin, name);
  });
}

/** Creates the template under a lock of the server: test files run in separate processes, and one creates it for all. */
function findOrCreateTemplate(server: string, template: string, content: TemplateContent): Promise<string> {
  return onServer(server, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [LOCK]); // released when the connection ends
    if ((await databaseNames(admin)).includes(template)) return template;
    const unfinished = `${template}_unfinished`;
    await admin.query(`drop database if exists ${unfinished} with (force)`);
    await admin.query(`create database ${unfinished}`);
    const database = await openDatabase({ url: databaseUrl(server, unfinished) });
    try {
      await fillTemplate(database, content);
      await markState(database);
    } finally {
      await database.close();
    }
    await admin.query(`alter database ${unfinished} rename to ${template}`);
    return template;
  });
}

async function databaseNames(admin: Client): Promise<string[]> {
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database');
  return rows.map((row) => row.datname);
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer<T>(server: string, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
