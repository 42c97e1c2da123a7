import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDownload } from './models.ts';

const at = (received: number) => ({ kind: 'progress', received, total: 16_582_848, rate: 2_100_000 }) as const;

test('formats the bytes, share and rate of a download', () => {
  assert.equal(formatDownload(at(8_300_000)), '8.3 of 16.6 MB, 50 %, 2.1 MB/s');
  assert.equal(formatDownload(at(16_582_847)), '16.6 of 16.6 MB, 99 %, 2.1 MB/s');
  assert.equal(formatDownload(at(16_582_848)), '16.6 of 16.6 MB, 100 %, 2.1 MB/s');
  assert.equal(formatDownload({ ...at(5_000_000), total: undefined }), '5.0 MB, 2.1 MB/s');
});
