import { SETTINGS } from '../../src/platform/index.ts';

export function configurationPage(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | \`${setting.defaultText}\` | ${setting.description.replaceAll('|', '\\|')} |`,
  );
  return `# Configuration

<!-- Made from src/platform/config/settings.ts by \`npm run docs\`; do not edit. -->

Everything is set by environment variables. An empty variable counts as not set. A value that cannot be used stops the
start with one line that names it, and a variable that begins with \`ALMANAC_\` but is not in this table is reported in
the log.

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}

## On loopback and beyond

On a loopback \`HOST\` (the default) the service speaks plain HTTP, and its first start makes the account
\`demo@almanac.local\`. On any other address it makes nothing by itself, and it refuses to start unless \`SITE_URL\` is an
\`https://\` origin and \`ALMANAC_TRUSTED_PROXIES\` names the proxy that ends TLS. A request that did not come through that
proxy over TLS is refused.

## Several processes

Set \`DATABASE_URL\` and start as many services (\`npm start\`) and workers (\`npm run -s almanac -- worker\`) as you need, on
any number of machines. Rate limits are counted over all of them. Connect to the server itself or to a pooler in session
mode: session settings and LISTEN do not survive a pooler in transaction mode. The embedded database belongs to one process; a second
one is refused and nothing is harmed. It survives a killed process, but it does not force writes to the disk: for safety
against power loss use PostgreSQL.
`;
}
