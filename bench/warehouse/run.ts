// Measures the read of one symbol's year from a Parquet file of 100 million rows, sorted by symbol and time: the bytes that
// the child process reads against the estimate, its memory, and its time against DuckDB in this process. The file, about
// 750 MB, is made by DuckDB on the first run and kept.
//
//   npm run -s bench:warehouse [-- --rows 100000000 --rounds 15 --folder /tmp/almanac-bench-warehouse]

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api';
import type { WarehouseReference } from '../../src/contract/index.ts';
import { createLocalEngine, createQueryRunner, createWarehouseSource } from '../../src/datasets/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import { formatTable } from '../format-table.ts';
import { summarize } from '../search/measure.ts';
import { makeBars } from './make-bars.ts';

const MAX_READ_RATIO = 2;
const MAX_MEBIBYTES = 512;
const MAX_TIME_RATIO = 1.5;
const MEBIBYTE = 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000000' },
    rounds: { type: 'string', default: '15' },
    folder: { type: 'string', default: join(tmpdir(), 'almanac-bench-warehouse') },
  },
});
const rounds = Number(options.rounds);
const rows = await makeBars(options.folder, Number(options.rows));

const symbol = 'S0500';
const [start, end] = [Date.UTC(2020, 0, 1), Date.UTC(2021, 0, 1)];
const reference: WarehouseReference = {
  type: 'warehouse_table',
  table: 'local.bars',
  time_field: 'time',
  value_field: 'close',
  filters: [{ field: 'symbol', values: [symbol] }],
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
};

/** Reads the same rows with DuckDB in this process, with the same settings. */
async function openPlain() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' });
  const connection = await instance.connect();
  const path = join(options.folder, 'bars.parquet').replaceAll("'", "''");
  return async () => {
    const statement = await connection.prepare(
      `SELECT epoch_us(time), close FROM read_parquet('${path}') WHERE symbol = $1 AND time >= $2 AND time < $3 ORDER BY 1 DESC`,
    );
    statement.bindVarchar(1, symbol);
    statement.bindTimestamp(2, new DuckDBTimestampValue(BigInt(start) * 1000n));
    statement.bindTimestamp(3, new DuckDBTimestampValue(BigInt(end) * 1000n));
    const [times = [], values = []] = (await statement.runAndReadAll()).getColumns();
    return { times: Float64Array.from(times, Number), values: Float64Array.from(values, Number) };
  };
}

function childPid(): number {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const pid = pids.at(-1);
  if (!pid) throw new Error('There is no child process.');
  return pid;
}

/** Returns a figure of a process from a file of /proc. */
function readFigure(pid: number, file: string, name: string): number {
  const found = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'));
  return Number(found?.[1]);
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const tempFolder = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
const log = createLog('warn');
const runner = createQueryRunner({ tempFolder, log });
const local = createLocalEngine({ folder: options.folder, runner, log, clock: systemClock });
const source = createWarehouseSource({ clock: systemClock, local, bigquery: null, areGuestsAllowed: true });
const readOurs = () => source.read(reference, {});
const readPlain = await openPlain();

try {
  const cold = await elapsed(readOurs);
  const pid = childPid();
  const before = readFigure(pid, 'io', 'rchar');
  const ours = await readOurs();
  const bytes = readFigure(pid, 'io', 'rchar') - before;
  const plain = await readPlain();
  const values = ours.table.columns.close ?? new Float64Array();
  if (values.length !== plain.values.length || values.some((value, i) => value !== plain.values.at(-1 - i))) {
    throw new Error('The two reads return other rows.');
  }
  const times = { ours: [] as number[], plain: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.plain.push(await elapsed(readPlain));
    times.ours.push(await elapsed(readOurs));
  }
  const median = { ours: summarize(times.ours).median, plain: summarize(times.plain).median };
  const estimate = ours.estimatedBytes ?? Number.NaN;
  const mebibytes = (readFigure(pid, 'status', 'VmHWM') * 1024) / MEBIBYTE;
  const [readRatio, timeRatio] = [bytes / estimate, median.ours / median.plain];

  console.log(
    `${rows} rows, ${values.length} read, on ${process.platform} ${process.arch}, Node ${process.versions.node}\n`,
  );
  console.log(
    formatTable([
      ['', 'measured', 'against', 'ratio', 'limit'],
      [
        'bytes read by the child / estimate',
        String(bytes),
        String(estimate),
        readRatio.toFixed(2),
        String(MAX_READ_RATIO),
      ],
      ['peak memory of the child, MiB', mebibytes.toFixed(0), '', '', String(MAX_MEBIBYTES)],
      [
        `ms a read, median of ${rounds} / plain DuckDB`,
        median.ours.toFixed(1),
        median.plain.toFixed(1),
        timeRatio.toFixed(2),
        String(MAX_TIME_RATIO),
      ],
      ['ms of the first read, with the start of the child', cold.toFixed(1), '', '', ''],
    ]),
  );
  if (readRatio > MAX_READ_RATIO || mebibytes > MAX_MEBIBYTES || timeRatio > MAX_TIME_RATIO) process.exitCode = 1;
} finally {
  await runner.close();
  await rm(tempFolder, { recursive: true, force: true });
}
