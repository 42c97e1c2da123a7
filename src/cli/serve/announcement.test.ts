import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTestConfig } from '../../../test/support/platform/test-config.ts';
import { formatAnnouncement } from './announcement.ts';

function announce(environment: Record<string, string> = {}, key: string | null = null): string[] {
  const config = loadTestConfig(environment);
  return formatAnnouncement('http://127.0.0.1:8080', key, { config, adapters: [] }).split('\n');
}

test('announces the address, and the key if there is one', () => {
  const [ready] = announce();
  assert.equal(ready, 'Almanac is ready at http://127.0.0.1:8080 (API documentation: http://127.0.0.1:8080/docs)');
  assert.deepEqual(announce(), [ready, '']);
  assert.deepEqual(announce({}, 'alm_1').slice(0, 2), [ready, 'API key: alm_1']);
});

test('announces to which callers the tables of the folder are published', () => {
  const folder = { ALMANAC_WAREHOUSE: import.meta.dirname };
  assert.match(
    announce(folder)[1] ?? '',
    /^The tables in ALMANAC_WAREHOUSE are .* guests included\. Set .*_GUESTS=off /,
  );
  const [, hidden, ...rest] = announce({ ...folder, ALMANAC_WAREHOUSE_GUESTS: 'off' }, 'alm_1');
  assert.match(hidden ?? '', /^The tables in ALMANAC_WAREHOUSE are published to all accounts, but not to guests/);
  assert.equal(rest[0], 'API key: alm_1');
  assert.doesNotMatch(announce(folder).join('\n'), new RegExp(import.meta.dirname));
});

test('announces where the content ids of proofs are recorded', () => {
  assert.match(
    announce({ ALMANAC_VBASE_KEY: 'hunter2' })[1] ?? '',
    /^The content ids of proofs are recorded through vBase/,
  );
  const chain = {
    ALMANAC_CHAIN_URL: 'https://node.example/hunter2',
    ALMANAC_CHAIN_ID: '137',
    ALMANAC_CHAIN_CONTRACT: `0x${'0a'.repeat(20)}`,
    ALMANAC_CHAIN_KEY_FILE: import.meta.filename,
  };
  const [, line = ''] = announce(chain);
  assert.match(line, /^The content ids of proofs are recorded on the chain 137, /);
  assert.doesNotMatch(line, /hunter2/);
});
