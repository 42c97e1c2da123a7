import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyPostgres, startService } from '../support/cli/service.ts';
import { FORECASTS, inlineRequest } from '../support/forecasts/forecast-service.ts';
import { createPasswordRole } from '../support/platform/password-role.ts';

const server = process.env.TEST_DATABASE_URL;
const skip = server === undefined && 'TEST_DATABASE_URL is not set';

const folder = mkdtempSync(join(tmpdir(), 'almanac-database-password-'));
after(() => rmSync(folder, { recursive: true }));

test('the password of the database changes while the service runs, and no request fails', { skip }, async () => {
  await using database = await emptyPostgres();
  const name = new URL(database.url).pathname.slice(1);
  await using role = await createPasswordRole(server ?? '', name, 'first');
  const path = join(folder, 'database-url');
  const write = (password: string) => {
    writeFileSync(`${path}.new`, `${role.urlOf(name, password)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  write('first');
  await using service = await startService({ environment: { DATABASE_URL_FILE: path } });
  const read = async () => (await service.fetch('/api/v1/me/access')).status;
  assert.equal(await read(), 200);

  await role.setPassword('second');
  assert.equal(await read(), 200, 'connections that exist stay');
  // Without idle connections, the next request needs a new one, which the server refuses until the file is written.
  assert.ok((await role.endIdleConnections()) > 0);
  await sleep(300);
  const waiting = Promise.all([read(), read(), read()]);
  await sleep(300);
  write('second');
  assert.deepEqual(await waiting, [200, 200, 200]);

  // The queue has connections of its own, one of them for LISTEN.
  const created = await service.fetch(`/api${FORECASTS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(inlineRequest()),
  });
  assert.equal(created.status, 202);
  const { status_url: url } = await dataOf<{ status_url: string }>(created);
  for (let status = ''; status !== 'completed'; await sleep(100)) {
    const reply = await service.fetch(url);
    assert.equal(reply.status, 200);
    ({ status } = await dataOf<{ status: string }>(reply));
    assert.notEqual(status, 'failed');
  }
  assert.doesNotMatch(service.stderr(), /first@|second@|"level":60/);
});

async function dataOf<Data>(reply: Response): Promise<Data> {
  return ((await reply.json()) as { data: Data }).data;
}
