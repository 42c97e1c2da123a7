import { SECRET_SETTING_NAMES, SETTINGS } from '../../src/platform/index.ts';

function isSecret(name: string): boolean {
  return (SECRET_SETTING_NAMES as readonly string[]).includes(name);
}

export function configurationPage(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) =>
      `| \`${name}\` | \`${setting.defaultText}\` | ${setting.description.replaceAll('|', '\\|')}${isSecret(name) ? ' *Secret.*' : ''} |`,
  );
  return `# Configuration

<!-- Generated from src/platform/config/settings.ts by \`npm run docs\`; do not edit. -->

Environment variables configure the service. An empty variable counts as not set. If a value is invalid, the service does not
start and prints one line that names the variable. The log reports variables that start with \`ALMANAC_\` but are not in this
table.

A setting marked *secret* can be in a file instead: \`NAME_FILE\` names it, and the service reads it again while it runs
([Secrets](secrets.md#settings-in-files)).

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}

## Loopback and public addresses

| | Loopback \`HOST\`, and no \`SITE_URL\` or a loopback one (default) | Any other \`HOST\` or \`SITE_URL\` |
| --- | --- | --- |
| Protocol | plain HTTP | HTTP behind a proxy that terminates TLS |
| Required | nothing | \`SITE_URL\` with an \`https://\` origin, and the proxy in \`ALMANAC_TRUSTED_PROXIES\` |
| First start | creates the account \`demo@almanac.local\` | creates no account; refuses the credentials of an earlier \`demo@almanac.local\` |
| Requests | accepted | refused unless they arrived through the proxy over TLS |

## Several processes

Set \`DATABASE_URL\` and start any number of services (\`npm start\`) and workers (\`npm run -s almanac -- worker\`) on any
number of machines. Rate limits apply across all processes.

Connect to PostgreSQL directly, through a pooler in session mode, or through a pooler in transaction mode such as PgBouncer. For
the latter, also set \`DATABASE_DIRECT_URL\` ([how to set it up](operations.md#connection-pooler)).

The embedded database can be used by only one process; a second process refuses to start and changes nothing. The database
survives a killed process, but it does not force writes to disk. Use PostgreSQL if data must survive a power loss.
`;
}
