import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createAlpacaProvider, createMassiveProvider } from '../market/index.ts';
import { loadConfig, openS3Storage } from '../platform/index.ts';

const S3 = {
  ALMANAC_S3_BUCKET: 'almanac',
  ALMANAC_S3_ACCESS_KEY_ID: 'id1',
  ALMANAC_S3_SECRET_ACCESS_KEY: 'secret1',
};

test('requests to the object storage are signed with the access key of now', async (t) => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const ALMANAC_S3_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = loadConfig({ ...S3, ALMANAC_S3_ENDPOINT }).objectStorage ?? assert.fail();
  let accessKey = settings;
  const storage = openS3Storage(settings, { log: { warn: () => undefined } as never, accessKey: () => accessKey });
  await storage.put('a', Buffer.from('a'));
  accessKey = { ...settings, accessKeyId: 'id2', secretAccessKey: 'secret2' };
  await storage.put('a', Buffer.from('a'));
  assert.deepEqual(
    seen.map(({ authorization }) => /Credential=(\w+)/.exec(authorization ?? '')?.[1]),
    ['id1', 'id2'],
  );
});

test('requests to providers have the key of now', async () => {
  let key = 'first';
  const sent: unknown[] = [];
  const http = {
    getJson: async (_url: string, { headers }: { headers: Record<string, string> }) => {
      sent.push(Object.values(headers));
      throw new Error('no reply');
    },
  } as never;
  const common = { url: 'http://127.0.0.1:9', requestsPerMinute: 1 };
  const massive = createMassiveProvider({ ...common, key: () => key });
  const alpaca = createAlpacaProvider({ ...common, tradingUrl: common.url, keyId: 'id', secret: () => key });
  const query = {
    symbol: 'AAPL',
    frequency: '1D',
    adjustment: 'raw',
    session: 'regular',
    start: new Date('2026-01-05T00:00:00Z'),
    end: new Date('2026-01-06T00:00:00Z'),
  } as never;
  for (const provider of [massive, alpaca]) {
    key = 'first';
    await assert.rejects(provider.fetchPage(query, null as never, http));
    key = 'second';
    await assert.rejects(provider.fetchPage(query, null as never, http));
  }
  assert.deepEqual(sent, [['Bearer first'], ['Bearer second'], ['id', 'first'], ['id', 'second']]);
});
