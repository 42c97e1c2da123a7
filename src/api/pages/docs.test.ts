import assert from 'node:assert/strict';
import { openApi } from '../../../test/support/api/api.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';

forEachDatabase(
  'the documentation page loads nothing from other sites',
  { migrations: MIGRATIONS, only: 'pglite' },
  async ({ database }) => {
    const { app } = await openApi(database);
    const page = await app.inject('/docs');
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
    assert.doesNotMatch(page.body, /https?:\/\//, 'no URL of another host');
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
    assert.ok(assets.length >= 5, 'the assets were found');
    for (const asset of assets) {
      assert.match(asset, /^\/docs\//);
      assert.equal((await app.inject(asset)).statusCode, 200, asset);
    }

    const shown = (await app.inject('/docs/json')).json();
    const served = (await app.inject('/api/openapi.json')).json();
    assert.deepEqual(shown.servers, [{ url: '/api' }], 'works under every name of the machine');
    assert.deepEqual({ ...shown, servers: null }, { ...served, servers: null }, 'otherwise the same document');
    await app.close();
  },
);
