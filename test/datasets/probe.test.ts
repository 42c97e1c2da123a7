import { test } from 'node:test';
import { startLoopbackEconomy } from '../support/datasets/loopback-economy.ts';
import { MovableClock } from '../support/identity/identity.ts';
import { openMarketService } from '../support/market/market-service.ts';

test('probe', async () => {
  await using economy = await startLoopbackEconomy();
  await using service = await openMarketService(new MovableClock('2025-02-12T18:00:00Z'), economy.environment);
  const { send } = await service.account();
  for (const query of ['gdp', 'unemployment france', 'unemployment', 'euro area inflation', 'xyzzy', 'EXR', 'gdp france']) {
    const t = performance.now();
    const { status, body } = await send('POST', '/v1/market-search', { query, limit: 6 });
    console.log(query, status, Math.round(performance.now() - t), body.unavailable, body.results?.map((r: any) => [r.provider, r.source.series_id, JSON.stringify(r.source.dimensions), r.title, r.frequency, r.units].join(' | ')));
  }
  for (const source of [
    { provider: 'fred', series_id: 'UNRATE' },
    { provider: 'worldbank', series_id: 'NY.GDP.MKTP.CD', dimensions: { country: 'FRA' } },
    { provider: 'ecb', series_id: 'EXR/D.USD.EUR.SP00.A' },
    { provider: 'eurostat', series_id: 'prc_hicp_midx' },
    { provider: 'dbnomics', series_id: 'AMECO/ZUTN' },
  ]) {
    const full = { type: 'economic_series', ...source };
    console.log(JSON.stringify((await send('POST', '/v1/market-search/describe', { source: full })).body).slice(0, 1500));
    console.log(JSON.stringify((await send('POST', '/v1/market-search/observations', { source: full, limit: 2 })).body).slice(0, 900));
  }
  for (const [id, server] of Object.entries(economy)) if (server?.requests) console.log(id, server.requests.length, server.requests.map((r: any) => r.path).join(' ').slice(0, 300));
});
