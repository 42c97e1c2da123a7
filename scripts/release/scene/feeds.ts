import type { Scene } from './scene.ts';

const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };

/** Creates a feed of each kind. */
export async function createFeeds(scene: Scene): Promise<void> {
  const create = async (kind: string, request: object) => {
    const body = { kind, request, name: `The ${kind} of the fixture` };
    const { url } = await scene.send<{ url: string }>('ada', 'POST', '/v1/feeds', body);
    scene.setId(`feed:${kind}`, url.slice(url.lastIndexOf('/') + 1));
  };
  await create('history', {
    symbol: 'AAPL',
    timeframe: '1D',
    limit: 500,
    start: '2018-04-02T00:00:00Z',
    end: '2018-05-11T00:00:00Z',
  });
  await create('observations', { source: CPI, limit: 5 });
  await create('forecast', { forecast_id: scene.forecasts.get('fast')?.id });
}
