import { formatTable } from '../format-table.ts';
import { smallRequest } from '../jobs/small-request.ts';
import { type Figures, formatStatuses } from './drivers.ts';
import { type MixedFigures, measureMix, openNight, type Stream } from './mix.ts';
import { openPinnedScene } from './pinned-scene.ts';
import { createWorkspace, get, history, post, search, uploads } from './requests.ts';

const SYMBOLS = 8_000;
const FILTERS = 10_000;

/** What some hundred users do, first alone and then beside a night of the screener. */
export async function measureMixedLoad(share: number): Promise<void> {
  await using scene = await openPinnedScene();
  const workspace = await createWorkspace(scene);
  await using night = await openNight(scene.url, SYMBOLS * share, FILTERS * share);
  const create = (i: number) => post('/api/v1/ensemble-forecasts', smallRequest(i));
  const warm = await measureMix(scene, [], { seconds: 3, createPerSecond: 1, create });
  const streams: Stream[] = [
    { name: 'read the own access', requests: get('/api/v1/me/access'), perSecond: 100 },
    { name: 'search', requests: search, perSecond: 20 },
    { name: 'daily history of an index, 500 rows', requests: history, perSecond: 10 },
    { name: 'list forecasts', requests: get('/api/v1/ensemble-forecasts'), perSecond: 20 },
    {
      name: 'estimate a forecast',
      requests: (i) => post('/api/v1/ensemble-forecasts/estimate', smallRequest(i)),
      perSecond: 5,
    },
    { name: 'upload 2,000 rows of CSV (30 kB)', requests: uploads(workspace), perSecond: 1 },
  ];
  const rows = [['at these rates', 'a second', 'p50 ms', 'p99 ms', 'with a night: p50 ms', 'p99 ms', 'statuses']];
  let created = warm.watched.count;
  const mix = async (seconds: number): Promise<MixedFigures> => {
    const offset = created;
    created += Math.round(seconds);
    return measureMix(scene, streams, { seconds, createPerSecond: 1, create: (i) => create(i + offset) });
  };
  const alone = await mix(30 * share);
  const running = night.run();
  const beside = await mix(30 * share);
  const seconds = await running;
  for (const [i, { name, p50, p99, perSecond }] of alone.streams.entries()) {
    const other = beside.streams[i] as Figures;
    const times = [perSecond, p50, p99, other.p50, other.p99].map((value) => value.toFixed(1));
    rows.push([name, ...times, formatStatuses(other)]);
  }
  const waits = [1, alone.watched.p50, alone.watched.p99, beside.watched.p50, beside.watched.p99];
  rows.push(['create a forecast and watch it to its end', ...waits.map((value) => value.toFixed(1)), '']);
  console.log(`\n${formatTable(rows)}`);
  const percent = (part: number): string => `${(100 * part).toFixed(0)} %`;
  console.log(
    `service ${percent(alone.serviceShare)} of its core, PostgreSQL ${percent(alone.serverShare)}; the night over ${SYMBOLS * share} symbols and ${FILTERS * share} filters took ${seconds.toFixed(1)} s on the core of the service\n`,
  );
}
