import { randomBytes } from 'node:crypto';
import { runAt } from './run-at.ts';

export interface PasswordRole extends AsyncDisposable {
  readonly name: string;
  /** The address of a database as this role. */
  urlOf(database: string, password: string): string;
  /** Gives the role another password. */
  setPassword(password: string): Promise<void>;
  /** Ends its connections that are not in a transaction. Returns how many. */
  endIdleConnections(): Promise<number>;
}

/** Creates a role from which the server asks a password, although it trusts the others. */
export async function createPasswordRole(server: string, database: string, password: string): Promise<PasswordRole> {
  const name = `almanac_${randomBytes(6).toString('hex')}`;
  const setPassword = async (text: string) => void (await runAt(server, `ALTER ROLE ${name} PASSWORD '${text}'`));
  await runAt(server, `CREATE ROLE ${name} LOGIN`);
  await setPassword(password);
  await runAt(server, `ALTER DATABASE ${database} OWNER TO ${name}`);
  await changeRules(server, (rules) => [ruleFor(name), ...rules]);
  return {
    name,
    urlOf(of, text) {
      const url = new URL(server);
      url.username = name;
      url.password = text;
      url.pathname = `/${of}`;
      return url.href;
    },
    setPassword,
    async endIdleConnections() {
      const ended = await runAt(
        server,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}' AND state = 'idle'`,
      );
      return ended.length;
    },
    async [Symbol.asyncDispose]() {
      await changeRules(server, (rules) => rules.filter((rule) => rule !== ruleFor(name)));
      const own = new URL(server);
      own.pathname = `/${database}`;
      await runAt(own.href, `REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name}`);
      await runAt(server, `DROP ROLE ${name}`);
    },
  };
}

function ruleFor(role: string): string {
  return `host all ${role} all scram-sha-256`;
}

/** Changes the rules by which the server lets clients in. */
async function changeRules(server: string, change: (rules: readonly string[]) => readonly string[]): Promise<void> {
  const [row] = await runAt(
    server,
    `SELECT setting AS path, pg_read_file(setting) AS text FROM pg_settings WHERE name = 'hba_file'`,
  );
  const rules = String(row?.text)
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '' && !line.startsWith('#'));
  const values = change(rules).map((rule) => `('${rule.replaceAll("'", "''")}')`);
  await runAt(server, `COPY (VALUES ${values.join(', ')}) TO '${row?.path}'`);
  await runAt(server, 'SELECT pg_reload_conf()');
}
