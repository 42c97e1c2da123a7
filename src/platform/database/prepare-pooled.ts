import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import { type Connect, clientsOf, type SingleClient } from './connect-client.ts';
import type { CurrentUrl } from './connection-options.ts';
import { DatabaseSetupError, DirectConnectionError } from './errors.ts';
import { sharesConnections } from './find-pooler.ts';
import {
  alterRoleStatements,
  describeWrongSettings,
  hasAllSettings,
  SET_CLIENT,
  SET_NO_TIMEOUTS,
  SETTING_COLUMNS,
  type SessionSettings,
} from './session-settings.ts';

/** An arbitrary number for the advisory lock under which a process checks the pooler. */
const PREPARATION_LOCK = 12_586_269_025;

/**
 * How many connections of the pooler are replaced because they are older than the settings of their role. A pooler opens a
 * connection only when no idle one is left, so the first with the right settings shows that all idle ones were replaced.
 */
const MAX_REPLACED = 100;

const MISSING_PRIVILEGE = '42501';
const LOCK_TIMEOUT = '55P03';

interface PooledSession extends SessionSettings {
  readonly role: string;
  readonly database: string;
  /** Whether the lock that the direct connection holds is free here, in another database. */
  readonly is_free: boolean;
}

export interface PooledAddress {
  /** The pooler. */
  readonly url: string;
  /** The same database without a pooler. */
  readonly directUrl: string;
  readonly connectTimeoutMs: number;
  readonly currentUrl?: CurrentUrl | undefined;
}

/**
 * Checks that the direct connection leads to the database behind the pooler, and that the pooler's connections have the
 * settings that a client cannot set there. If they do not, their role gets the settings.
 */
export async function preparePooledConnections({
  url,
  directUrl,
  connectTimeoutMs,
  currentUrl,
}: PooledAddress): Promise<void> {
  const connectPooled = clientsOf(url, connectTimeoutMs, { currentUrl });
  await using opened = await openDirect(clientsOf(directUrl, connectTimeoutMs, { name: 'almanac-direct', currentUrl }));
  const direct = opened.client;
  await direct.query(`${SET_NO_TIMEOUTS}; set lock_timeout = '10s'`);
  // Processes that start together check one after the other, so that only the first finds connections that are older than
  // the settings. The lock ends with the connection. A process whose machine froze must not hold up the others for ever.
  await direct.query('select pg_advisory_lock($1)', [PREPARATION_LOCK]).catch((error) => {
    if (error.code !== LOCK_TIMEOUT) throw error;
  });
  let session = await readPooled(connectPooled, direct);
  if (describeWrongSettings(session).length === 0) return;
  await giveRoleSettings(direct, session);
  for (let replaced = 0; replaced < MAX_REPLACED; replaced += 1) {
    session = await readOrReplace(connectPooled);
    if (describeWrongSettings(session).length === 0) return;
  }
  throw new DatabaseSetupError(
    `The pooler of DATABASE_URL has connections with wrong settings, although the role ${quote(session.role)} has the ` +
      `right ones in the database ${quote(session.database)}: ${describeWrongSettings(session).join(', ')}. ` +
      'Remove what changes them, such as connect_query, from the configuration of the pooler, and run RECONNECT in the ' +
      'console of PgBouncer, or restart the pooler.',
  );
}

async function openDirect(connect: Connect): Promise<SingleClient> {
  const wrap = (error: unknown) => Promise.reject(new DirectConnectionError(error));
  const opened = await connect().catch(wrap);
  const isShared = await sharesConnections(opened.client, connect).catch(async (error) => {
    await opened.client.end();
    return wrap(error);
  });
  if (!isShared) return opened;
  await opened.client.end();
  throw new DatabaseSetupError(
    'DATABASE_DIRECT_URL leads to a pooler in transaction mode, where LISTEN and session settings do not work. ' +
      'It must name the PostgreSQL server itself, or a pooler in session mode.',
  );
}

/** Reads the settings of a pooled connection. Throws if it leads to another database than the direct connection. */
async function readPooled(connectPooled: Connect, direct: Client): Promise<PooledSession> {
  // A lock of an advisory number is visible only in its own database on its own server, not even on a replica.
  const lock = randomInt(2 ** 47);
  await direct.query('begin');
  await direct.query('select pg_advisory_xact_lock($1)', [lock]);
  const { rows } = await direct.query<{ database: string }>('select current_database() as database');
  await using pooled = await connectPooled();
  const session = await readSession(pooled.client, lock);
  await direct.query('rollback');
  if (!session.is_free) return session;
  const [here, there] = [session.database, rows[0]?.database ?? ''];
  throw new DatabaseSetupError(
    here === there
      ? `DATABASE_DIRECT_URL leads to a database ${quote(here)} on another server than DATABASE_URL. Nothing was changed. ` +
          'Both must lead to the same database of the primary server.'
      : `DATABASE_DIRECT_URL leads to the database ${quote(there)}, but DATABASE_URL to ${quote(here)}. Nothing was ` +
          'changed. Both must lead to the same database.',
  );
}

/** A transaction, so that a pooler that refuses transactions is noticed at the start. */
async function readSession(client: Client, lock: number): Promise<PooledSession> {
  await client.query(SET_CLIENT);
  await client.query('begin');
  const { rows } = await client.query<PooledSession>(
    `select session_user as role, current_database() as database,
       pg_try_advisory_xact_lock($1) as is_free, ${SETTING_COLUMNS}`,
    [lock],
  );
  await client.query('rollback');
  return rows[0] as PooledSession;
}

/** Gives the role of the pooled connections the settings, unless it has them. */
async function giveRoleSettings(direct: Client, session: PooledSession): Promise<void> {
  const { role, database } = session;
  if (hasAllSettings(await readRoleSettings(direct, role))) return;
  const statements = alterRoleStatements(role, database);
  try {
    await direct.query('begin');
    for (const statement of statements) await direct.query(statement);
    await direct.query('commit');
  } catch (error) {
    if ((error as { code?: unknown }).code !== MISSING_PRIVILEGE) throw error;
    throw new DatabaseSetupError(
      `The connections of DATABASE_URL have wrong settings: ${describeWrongSettings(session).join(', ')}. The role of ` +
        `DATABASE_DIRECT_URL may not change the role ${quote(role)}. Run these statements as a superuser, then start ` +
        `again: ${statements.join('; ')};`,
      { cause: error },
    );
  }
}

async function readRoleSettings(direct: Client, role: string): Promise<string[]> {
  const { rows } = await direct.query<{ setting: string }>(
    `select unnest(setconfig) as setting from pg_db_role_setting
     where setrole = (select oid from pg_roles where rolname = $1)
       and setdatabase = (select oid from pg_database where datname = current_database())`,
    [role],
  );
  return rows.map(({ setting }) => setting);
}

/**
 * Reads the settings of a pooled connection. If they are wrong, because the pooler opened it before the role had them, the
 * connection is ended: it serves only this client at this moment, and the pooler replaces it.
 */
async function readOrReplace(connectPooled: Connect): Promise<PooledSession> {
  await using pooled = await connectPooled();
  const session = await readSession(pooled.client, randomInt(2 ** 47));
  // The statement fails, because its connection ends.
  if (describeWrongSettings(session).length > 0)
    await pooled.client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  return session;
}

function quote(name: string): string {
  return JSON.stringify(name);
}
