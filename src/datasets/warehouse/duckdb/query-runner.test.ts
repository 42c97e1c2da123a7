import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { DuckdbQuery } from './child-messages.ts';
import { createQueryRunner, type QueryRunnerOptions } from './query-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-query-runner-'));
const tempFolder = join(folder, 'temp');
mkdirSync(tempFolder);
before(() => {
  process.env.ALMANAC_TEST_SECRET = 'secret';
});
after(() => {
  delete process.env.ALMANAC_TEST_SECRET;
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A child whose queries are words: `count` returns the number of queries so far and the process id, `hold FILE` ends
 * when it is interrupted, `linger FILE` when the file exists after that, `ignore` never, `crash` ends the process. The
 * file with `.started` after its name shows that a query has begun.
 */
const script = join(folder, 'child.mjs');
writeFileSync(
  script,
  `import { existsSync, writeFileSync } from 'node:fs';
  let count = 0, running = null;
  const end = (reply) => { const id = running.id; running = null; process.send({ ...reply, id }); };
  const fail = (message) => end({ kind: 'failure', message });
  process.on('disconnect', () => process.exit());
  process.on('message', ({ kind, id, query }) => {
    if (kind === 'run') {
      if (running !== null) return process.send({ kind: 'failure', id, message: 'overlap' });
      const [word, argument] = query.sql.split(' ');
      running = { id, word, argument };
      count++;
      if (word === 'hold' || word === 'linger') writeFileSync(argument + '.started', '');
      if (word === 'count') {
        process.send({ kind: 'rows', id, rows: { times: Float64Array.of(count), values: Float64Array.of(process.pid) } });
        end({ kind: 'idle' });
      }
      if (word === 'crash') process.abort();
      if (word === 'environment') fail(JSON.stringify({ environment: process.env, folder: process.cwd() }));
      if (word === 'fail') fail(argument.replaceAll('_', ' '));
      if (word === 'write') writeFileSync('spilled', 'rows');
    } else if (running?.word === 'hold') fail('interrupted');
    else if (running?.word === 'linger') {
      const timer = setInterval(() => { if (existsSync(running.argument)) { clearInterval(timer); fail('interrupted'); } }, 5);
    }
  });
  process.send({ kind: 'ready' });`,
);

const logged: { reason: string }[] = [];
const log = {
  warn: (details: { reason: string }) => void logged.push(details),
} as unknown as QueryRunnerOptions['log'];

function createRunner(options: Partial<QueryRunnerOptions> = {}) {
  const runner = createQueryRunner({ tempFolder, log, script, ...options });
  after(() => runner.close());
  return runner;
}

/** The runner of the tests that need no options. Starting a child takes most of the time of a test. */
const shared = createRunner({ graceMs: 60_000 });
const countQueries = async () => (await shared.run(query('count'))).times[0] ?? 0;

const query = (sql: string): DuckdbQuery => ({ sql, parameters: [], files: [], threads: 1 });
const tempFolders = () => readdirSync(tempFolder);

async function waitUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(5);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test('one query runs, two wait in their order, and another is refused', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const count = await countQueries();
  const file = join(folder, 'held');
  const held = shared.run(query(`hold ${file}`), first.signal);
  await waitUntil(() => existsSync(`${file}.started`));
  const left = shared.run(query('count'), second.signal);
  const third = shared.run(query('count'));
  await assert.rejects(shared.run(query('count')), (error: { status: number; details: object; message: string }) => {
    assert.match(error.message, /busy/);
    return error.status === 503 && 'retryAfter' in error.details;
  });
  const reason = new Error('left');
  second.abort(reason);
  await assert.rejects(left, (error) => error === reason);
  const fourth = shared.run(query('count'));
  await nextTick();
  first.abort(reason);
  await assert.rejects(held, (error) => error === reason);
  const rows = await Promise.all([third, fourth]);
  assert.deepEqual(
    rows.map(({ times }) => times[0]),
    [count + 2, count + 3],
    'the query that left was never sent',
  );
  assert.equal(rows[0]?.values[0], rows[1]?.values[0], 'the same child');
  await assert.rejects(shared.run(query('count'), AbortSignal.abort(reason)), (error) => error === reason);
});

test('an aborted query rejects immediately, and the next one starts when it has ended', async () => {
  const controller = new AbortController();
  const file = join(folder, 'end-lingering');
  const count = await countQueries();
  const lingering = shared.run(query(`linger ${file}`), controller.signal);
  const next = countQueries();
  await waitUntil(() => existsSync(`${file}.started`));
  controller.abort();
  await assert.rejects(lingering, { name: 'AbortError' });
  writeFileSync(file, '');
  assert.equal(await next, count + 2);
});

test('a query that ignores the interrupt is killed, and its temporary files are removed', async () => {
  const runner = createRunner({ graceMs: 1 });
  const others = tempFolders().length;
  const pid = (await runner.run(query('count'))).values[0] ?? 0;
  const controller = new AbortController();
  const ignoring = runner.run(query('write'), controller.signal);
  await waitUntil(() => tempFolders().some((name) => readdirSync(join(tempFolder, name)).length === 1));
  const next = runner.run(query('count'));
  controller.abort();
  await assert.rejects(ignoring, { name: 'AbortError' });
  assert.notEqual((await next).values[0], pid);
  assert.ok(isGone(pid));
  assert.equal(tempFolders().length, others + 1, 'only the folder of the new child');
  await runner.close();
  assert.equal(tempFolders().length, others);
});

test('a query over its deadline is interrupted with a fault that states the limit', async () => {
  const runner = createRunner({ deadlineMs: 100, graceMs: 1 });
  await assert.rejects(runner.run(query('ignore')), (error: { code: string; message: string }) => {
    assert.match(error.message, /0\.1 seconds.*start.*end.*filters/);
    return error.code === 'UNPROCESSABLE';
  });
  await runner.close();
});

/** What DuckDB appends to a sentence: the part of the query that it is about. */
const PLACE = `\n\nLINE 1: SELECT CAST(trim("cell 0") || ''' to DATE') AS "t", ...\n      ^`;

test('the child gets no environment, and errors become faults without paths', async () => {
  await assert.rejects(shared.run(query('environment')), { code: 'UNPROCESSABLE' });
  const { environment, folder: own } = JSON.parse(logged.at(-1)?.reason ?? '');
  const names = Object.keys(environment).filter((name) => name !== 'NODE_COMPILE_CACHE');
  assert.deepEqual(names, []);
  assert.ok(tempFolders().includes(own.split('/').at(-1)));
  for (const [message, shown] of [
    ["Conversion Error: Could not convert string 'a'b' to DOUBLE when casting", `"a'b"`],
    ['Conversion Error: invalid date field format: "x", expected format is (YYYY-MM-DD)', '"x"'],
    [
      `Conversion Error: invalid timestamp field format: "x "q" y", expected format is (Y)${PLACE}`,
      String.raw`"x \"q\" y"`,
    ],
    [`Conversion Error: date field value out of range: "2024-13-45"${PLACE}`, '"2024-13-45"'],
    [
      `Conversion Error: Could not convert string 'NA' to DOUBLE when casting from source column cell 1${PLACE}`,
      '"NA"',
    ],
    [`Invalid Input Error: Could not convert string '${'y'.repeat(500)}' to BIGINT`, `"${'y'.repeat(100)}"`],
    ['Out of Memory Error: could not allocate', '512 MB'],
    ['Invalid Input Error: CSV Error on Line: 37\nFile: /data/x.csv', 'line 37'],
    ['IO Error: Cannot open file "/data/x.parquet"', 'cannot be read'],
  ] as const) {
    await assert.rejects(
      shared.run(query(`fail ${message.replaceAll(' ', '_')}`)),
      (error: Error & { code: string }) => {
        assert.ok(error.message.includes(shown), error.message);
        assert.doesNotMatch(error.message, /\/data|LINE|CAST|cell 0/);
        return error.code === 'UNPROCESSABLE';
      },
    );
  }
  await assert.rejects(
    shared.run(query('fail Parser_Error:_mistake')),
    (error: { code?: string }) => error.code === undefined,
  );
});

test('a child that crashes fails only its query', async () => {
  const pid = (await shared.run(query('count'))).values[0];
  const crashed = shared.run(query('crash'));
  const next = shared.run(query('count'));
  await assert.rejects(crashed, (error: { code: string; message: string }) => {
    assert.match(error.message, /the files of the table cannot be read/);
    return error.code === 'UNPROCESSABLE';
  });
  assert.equal(logged.at(-1)?.reason, 'SIGABRT');
  const { times, values } = await next;
  assert.equal(times[0], 1, 'a new child');
  assert.notEqual(values[0], pid);
  const failing = createRunner({ script: join(folder, 'missing.mjs') });
  await assert.rejects(failing.run(query('count')), /does not start/);
});

test('a child above the memory limit is killed', async () => {
  const runner = createRunner({ maxResidentBytes: 1 });
  await assert.rejects(runner.run(query('ignore')), (error: { code: string; message: string }) => {
    assert.match(error.message, /512 MB.*start/);
    return error.code === 'UNPROCESSABLE';
  });
  await runner.close();
});

test('a child without a query ends, and the next query starts another', async () => {
  const runner = createRunner({ idleMs: 1 });
  const pid = (await runner.run(query('count'))).values[0] ?? 0;
  await waitUntil(() => isGone(pid));
  assert.equal((await runner.run(query('count'))).times[0], 1);
  await runner.close();
});

test('close interrupts the running query and refuses the waiting one', async () => {
  await shared.run(query('count'));
  const results = Promise.allSettled([
    shared.run(query(`hold ${join(folder, 'closing')}`)),
    shared.run(query('count')),
  ]);
  await shared.close();
  for (const result of await results) assert.equal(result.status === 'rejected' && result.reason.code, 'UNAVAILABLE');
  await assert.rejects(shared.run(query('count')), { code: 'UNAVAILABLE' });
  assert.deepEqual(tempFolders(), [], 'all runners are closed');
});
