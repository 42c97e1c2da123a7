import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { loadTestConfig } from '../../../test/support/platform/test-config.ts';
import { createFoundation, MIGRATIONS } from '../../compose/index.ts';
import { MAX_API_KEYS } from '../../contract/index.ts';
import { authenticateKey, DEMONSTRATION_EMAIL, findAccount, listApiKeys } from '../../identity/index.ts';
import { createLog } from '../../platform/index.ts';
import { ensureDemonstrationKey } from './demonstration-account.ts';

forEachDatabase('the demonstration key', { migrations: MIGRATIONS }, async ({ database, cleanup }, t) => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-demonstration-'));
  cleanup(() => rmSync(folder, { recursive: true, force: true }));
  const config = loadTestConfig({ ALMANAC_DATA: folder });
  const foundation = createFoundation({ config, log: createLog('silent'), database });
  const file = join(folder, 'demo-api-key');
  const first = await ensureDemonstrationKey(foundation);

  await t.test('is read again from its file', async () => {
    assert.equal(await ensureDemonstrationKey(foundation), first);
  });

  await t.test('is replaced when its file holds no valid key', async () => {
    writeFileSync(file, 'alm_pat_nonsense\n');
    const second = await ensureDemonstrationKey(foundation);
    assert.notEqual(second, first);
    assert.ok(await authenticateKey(foundation.identity, second));
  });

  await t.test(
    'is replaced at every start without its file, even if the account has the maximum number of keys',
    async () => {
      for (let start = 0; start < MAX_API_KEYS; start += 1) {
        rmSync(file, { force: true });
        await ensureDemonstrationKey(foundation);
      }
      const account = await findAccount(database, DEMONSTRATION_EMAIL);
      assert.equal((await listApiKeys(foundation.identity, account?.id ?? '')).length, MAX_API_KEYS);
      assert.ok(await authenticateKey(foundation.identity, await ensureDemonstrationKey(foundation)));
      assert.equal(await authenticateKey(foundation.identity, first), null, 'the oldest was revoked');
    },
  );
});
