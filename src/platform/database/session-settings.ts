import { escapeIdentifier, escapeLiteral } from 'pg';

/**
 * The settings of every connection, regardless of the settings of the server, role or database. They determine the text
 * from which values are parsed, and the results of casts such as `moment::date`. All except the timeouts are PGlite's
 * defaults.
 *
 * A transaction that stops, for example because its machine froze, is ended after 15 seconds. Until then, statements
 * that wait for its locks fail after 3 seconds, so that they do not take every connection of the pool.
 */
export const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  statement_timeout: '30s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
} as const;

type SettingName = keyof typeof SESSION_SETTINGS;

const NAMES = Object.keys(SESSION_SETTINGS) as SettingName[];

/** Sets all settings, for a session that one client keeps. */
export const SET_SESSION = setStatements(NAMES);

/**
 * Sets the settings that a pooler keeps for each client. PgBouncer gives a new client those of the first connection of
 * its pool, even if the role has had others since then, and restores those of the client before each transaction.
 */
export const SET_CLIENT = setStatements(['TimeZone', 'DateStyle', 'IntervalStyle']);

/** Ends the limits on the duration of statements, locks and transactions, for work that can take long. */
export const SET_NO_TIMEOUTS =
  'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0';

/** The columns of a SELECT that reads the settings of its session. */
export const SETTING_COLUMNS = NAMES.map((name) => `current_setting('${name}') as "${name}"`).join(', ');

export type SessionSettings = Readonly<Record<SettingName, string>>;

/** Returns each setting that has another value, such as `TimeZone is "Europe/Berlin" instead of "UTC"`. */
export function describeWrongSettings(session: SessionSettings): string[] {
  // The value of DateStyle includes the order of the fields of a date, which matters only for input in other styles.
  const isRight = (name: SettingName) => session[name].split(',')[0] === SESSION_SETTINGS[name];
  return NAMES.filter((name) => !isRight(name)).map(
    (name) => `${name} is "${session[name]}" instead of "${SESSION_SETTINGS[name]}"`,
  );
}

/** Returns the statements that give a role the settings in a database. Other databases of the role are not affected. */
export function alterRoleStatements(role: string, database: string): string[] {
  const subject = `ALTER ROLE ${escapeIdentifier(role)} IN DATABASE ${escapeIdentifier(database)}`;
  return NAMES.map((name) => `${subject} SET ${name} = ${escapeLiteral(SESSION_SETTINGS[name])}`);
}

/** Returns whether a role that has `stored`, in the form `name=value`, has all settings. */
export function hasAllSettings(stored: readonly string[]): boolean {
  return NAMES.every((name) => stored.includes(`${name}=${SESSION_SETTINGS[name]}`));
}

function setStatements(names: readonly SettingName[]): string {
  return names.map((name) => `set ${name} = '${SESSION_SETTINGS[name]}'`).join('; ');
}
