import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { spawnAlmanac } from '../../support/cli/almanac-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-compile-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('after an installation, the compile cache has nearly everything that a first forecast loads', async () => {
  const environment = { ALMANAC_DATA: join(folder, 'data'), NODE_COMPILE_CACHE: join(folder, 'cache') };
  const countCompiled = () => globSync('cache/*/*', { cwd: folder }).length;
  const run = async (entry: string, args: readonly string[], input?: string) => {
    const { code, stderr } = await spawnAlmanac(entry, args, environment, { input }).ended;
    assert.equal(code, 0, stderr);
    return countCompiled();
  };
  const prepared = await run('src/cli/fill-compile-cache.ts', []);
  const rows = Array.from({ length: 24 }, (_, day) => `2024-01-${day + 1 < 10 ? 0 : ''}${day + 1},${day % 7}\n`);
  const args = ['forecast', '-', '--models', 'theta', '--horizon', '3'];
  const used = await run('src/cli/almanac.ts', args, `day,value\n${rows.join('')}`);
  assert.ok(prepared > 1_000, `${prepared} compiled files`);
  // The rest are the entries of threads and the runtimes that only they load.
  assert.ok(used - prepared < 0.03 * used, `${used - prepared} of ${used} files were compiled by the first forecast`);
});
