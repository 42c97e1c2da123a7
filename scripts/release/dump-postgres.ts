import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';

/** Returns the dump of a database as statements that a server executes. */
export function dumpPostgres(url: string): Buffer {
  const newest = globSync('/usr/lib/postgresql/*/bin/pg_dump').toSorted().at(-1) ?? 'pg_dump';
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', '--no-comments'];
  // The mark of databases for tests.
  const content = ['--exclude-schema=test_mark'];
  const dump = execFileSync(newest, [...options, ...content, url], { maxBuffer: 1024 ** 3, encoding: 'utf8' });
  // Newer versions of pg_dump add commands of psql, which a server does not know.
  return Buffer.from(dump.replaceAll(/^\\(un)?restrict .*\n/gm, ''));
}
