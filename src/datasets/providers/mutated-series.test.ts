import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import type { AdapterScene, SceneSeries } from '../../../test/support/datasets/adapter-scene.ts';
import { ADAPTER_SCENES } from '../../../test/support/datasets/adapter-scenes.ts';
import { mutateSeriesReply } from '../../../test/support/datasets/mutate-series-reply.ts';
import {
  assertValidEntries,
  assertValidSeries,
  assertValidStructure,
} from '../../../test/support/datasets/valid-series.ts';
import { createSeededRandom } from '../../../test/support/platform/seeded-random.ts';
import { EARLIEST_INSTANT, LATEST_INSTANT, periodTimestamp } from '../../calendar/index.ts';
import { createProviderClient, OutboundError, type ProviderClient, ProviderError } from '../../platform/index.ts';
import { buildRows } from './build-rows.ts';
import type { RawSeries } from './provider.ts';

// Damaged replies of every adapter: no crash, and no row that was not sent, in another place or left out.

const COUNT = Number(process.env.ALMANAC_MUTATED_REPLIES ?? 300);
const LIMITS = { timeout: 900_000 };

interface KnownReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The correct replies of a server by address, so that each is requested once. */
class CorrectReplies {
  readonly byUrl = new Map<string, KnownReply>();

  async read(url: string, headers: Readonly<Record<string, string>>): Promise<KnownReply> {
    const known = this.byUrl.get(url);
    if (known !== undefined) return known;
    const reply = await fetch(url, { headers });
    const read = { status: reply.status, headers: reply.headers, text: await reply.text() };
    this.byUrl.set(url, read);
    return read;
  }
}

interface DamagedClient {
  readonly http: ProviderClient;
  /** How the calls ended, as the breaker counts them. */
  readonly outcomes: unknown[];
}

/** Creates a client that passes correct replies to `damage`, which is called once for each address. */
function damagingClient(
  { adapter }: AdapterScene,
  replies: CorrectReplies,
  damage: (text: string, url: string) => Buffer,
): DamagedClient {
  const damaged = new Map<string, Buffer>();
  const outcomes: unknown[] = [];
  const http = createProviderClient({
    provider: adapter.id,
    gate: {
      enter: async () => ({ kind: 'granted', permit: { trial: null, isSuccessNews: false } }),
      leave: async (_permit, outcome) => {
        outcomes.push(outcome);
      },
    },
    random: () => 0,
    sleep: async () => {},
    request: async (url, { headers = {} }) => {
      const { text, ...reply } = await replies.read(url, headers);
      const bytes = damaged.get(url) ?? damage(text, url);
      damaged.set(url, bytes);
      if (bytes.length === 0) throw new OutboundError('truncated');
      return { ...reply, bytes };
    },
  });
  return { http, outcomes };
}

/** Returns the address of the request for the observations of the first series. */
async function findObservations(scene: AdapterScene, replies: CorrectReplies): Promise<string> {
  const { selection, rows } = scene.series[0] as SceneSeries;
  const { http } = damagingClient(scene, replies, (text) => Buffer.from(text));
  assert.ok(await scene.adapter.readSeries(selection, http));
  const found = [...replies.byUrl].filter(([, { text }]) => scene.readReply(text) !== null);
  assert.equal(found.length, 1, 'one reply has the observations');
  const [url, { text }] = found[0] as [string, KnownReply];
  assert.deepEqual([...(scene.readReply(text) ?? [])].toSorted(), rows.toSorted(), 'it has the expected rows');
  return url;
}

interface Ending {
  readonly name: string;
  readonly series?: RawSeries | null;
}

/** Reads the first series from a damaged reply. Only a `ProviderError` may be thrown, and the breaker must count it. */
async function readDamaged(scene: AdapterScene, { http, outcomes }: DamagedClient): Promise<Ending> {
  try {
    const series = await scene.adapter.readSeries((scene.series[0] as SceneSeries).selection, http);
    return { name: series === null ? 'null' : 'rows', series };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.fault === 'MALFORMED') assert.deepEqual(outcomes.at(-1), { fault: 'MALFORMED' }, 'the breaker counts it');
    return { name: error.fault };
  }
}

/** Checks that the rows are those that an independent reading finds. Returns the name of the ending. */
function checkSeries(scene: AdapterScene, series: RawSeries, found: ReadonlyMap<string, number> | null): string {
  assertValidSeries(series);
  if ('unsupported' in series.frequency) return 'unsupported';
  const { frequency } = series.frequency;
  let built: ReturnType<typeof buildRows>;
  try {
    built = buildRows(scene.adapter.id, frequency, series.observations);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.fault;
  }
  const { timestamps, columns } = built.table;
  timestamps.forEach((timestamp, row) => {
    assert.equal(periodTimestamp(frequency, timestamp), timestamp, 'the timestamp is one of the frequency');
    assert.ok(row === 0 || timestamp > (timestamps[row - 1] as number), 'rows are in order');
  });
  assert.ok(found, 'an independent reading accepts the reply');
  const rows = Array.from(timestamps, (at, row) => describeRow(new Date(at).toISOString(), columns.value?.[row]));
  const expected = [...found]
    .map(([date, value]) => [new Date(`${date}T00:00:00.000Z`), value] as const)
    .filter(([date]) => date.getTime() >= EARLIEST_INSTANT && date.getTime() <= LATEST_INSTANT)
    .map(([date, value]) => describeRow(date.toISOString(), value));
  assert.deepEqual(rows, expected.toSorted(), 'the rows are those of the reply');
  return 'rows';
}

const describeRow = (date: string, value: number | undefined) => `${date} ${Object.is(value, -0) ? 0 : value}`;

/** Runs one case for each seed and counts the endings. */
async function countEndings(run: (seed: number) => Promise<string>): Promise<ReadonlyMap<string, number>> {
  const endings = new Map<string, number>();
  for (let seed = 0; seed < COUNT; seed++) {
    const ending = await run(seed);
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  return endings;
}

/** Checks that both correct and incorrect replies occurred, so that the cases show something. */
function assertOccur(endings: ReadonlyMap<string, number>, names: readonly string[]): void {
  for (const name of names) {
    assert.ok((endings.get(name) ?? 0) >= COUNT / 50, `${name} occurs: ${JSON.stringify([...endings])}`);
  }
}

/** Runs a read whose replies are all damaged: the first one always, others sometimes. */
async function countAccepted(
  scene: AdapterScene,
  read: (http: ProviderClient) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const replies = new CorrectReplies();
  return countEndings(async (seed) => {
    const random = createSeededRandom(seed);
    const sent: string[] = [];
    const { http } = damagingClient(scene, replies, (text) => {
      const isDamaged = sent.length === 0 || random() < 0.3;
      const bytes = isDamaged ? mutateSeriesReply(random, text) : Buffer.from(text);
      sent.push(bytes.toString().slice(0, 2_000));
      return bytes;
    });
    try {
      await read(http);
      return 'accepted';
    } catch (error) {
      if (error instanceof ProviderError) return error.fault;
      throw new Error(`case ${seed} sent ${sent.join('\n')}`, { cause: error });
    }
  });
}

for (const [id, create] of ADAPTER_SCENES) {
  test(`${id}: returns exactly the rows of ${COUNT} mutated replies`, LIMITS, async () => {
    await using scene = await create();
    const replies = new CorrectReplies();
    const observations = await findObservations(scene, replies);
    const endings = await countEndings(async (seed) => {
      const random = createSeededRandom(seed);
      let sent: Buffer = Buffer.alloc(0);
      const client = damagingClient(scene, replies, (text, url) => {
        if (url !== observations) return Buffer.from(text);
        sent = mutateSeriesReply(random, text);
        return sent;
      });
      try {
        const { name, series } = await readDamaged(scene, client);
        const found = isUtf8(sent) ? scene.readReply(new TextDecoder().decode(sent)) : null;
        if (series) return checkSeries(scene, series, found);
        if (series === null) assert.equal(found?.size ?? 0, 0, 'rows that were sent are not null');
        return name;
      } catch (error) {
        throw new Error(`case ${seed} sent ${sent.toString().slice(0, 5_000)}`, { cause: error });
      }
    });
    assertOccur(endings, ['rows', 'MALFORMED']);
  });

  test(`${id}: returns only valid structures for ${COUNT} mutated replies`, LIMITS, async () => {
    await using scene = await create();
    const { seriesId } = (scene.series[0] as SceneSeries).selection;
    const endings = await countAccepted(scene, async (http) => {
      const structure = await scene.adapter.readStructure(seriesId, http);
      if (structure !== null) assertValidStructure(structure);
    });
    assertOccur(endings, ['accepted', 'MALFORMED']);
  });

  test(`${id}: lists only valid entries in ${COUNT} mutated listings`, LIMITS, async () => {
    await using scene = await create();
    const endings = await countAccepted(scene, async (http) => {
      for await (const batch of scene.adapter.readListing(http)) assertValidEntries(batch);
    });
    assertOccur(endings, ['accepted', 'MALFORMED']);
  });
}
