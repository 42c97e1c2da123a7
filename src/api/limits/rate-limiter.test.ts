import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { countUses } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import { removeOldWindows } from './lease-store.ts';
import { apiMigrations } from './migrations/index.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

const MIGRATED = { migrations: [apiMigrations] };

/** Returns how many of `requests` concurrent requests were allowed. */
async function allowedOf(limiters: readonly RateLimiter[], requests: number, limit: number): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: requests }, (_, place) => {
      const limiter = limiters[place % limiters.length];
      assert.ok(limiter);
      return limiter.consume('key', limit);
    }),
  );
  return verdicts.filter(({ allowed }) => allowed).length;
}

/** Opens the database as another process would. PGlite allows one process, so there it is the same database. */
async function openAgain({ database, location, cleanup }: TestDatabase): Promise<Database> {
  if (database.kind === 'pglite') return database;
  const second = await openDatabase(location);
  cleanup(() => second.close());
  return second;
}

async function moveWindowsBack(database: Database, seconds: number): Promise<void> {
  await sql`UPDATE rate_window SET started_at = started_at - make_interval(secs => ${seconds})`.execute(
    database.query(),
  );
}

forEachDatabase(
  'counts exactly with one process and reports the remaining requests',
  MIGRATED,
  async ({ database }) => {
    for (const limit of [1, 5, 27]) {
      const { consume } = createRateLimiter(database);
      for (let left = limit - 1; left >= 0; left--) {
        const verdict = await consume(`alone ${limit}`, limit);
        assert.deepEqual([verdict.allowed, verdict.limit, verdict.remaining], [true, limit, left]);
        assert.ok(verdict.resetSeconds >= 1 && verdict.resetSeconds <= 60);
      }
      for (let time = 0; time < 3; time++) {
        const verdict = await consume(`alone ${limit}`, limit);
        assert.deepEqual([verdict.allowed, verdict.remaining], [false, 0]);
        assert.ok(verdict.resetSeconds >= 1 && verdict.resetSeconds <= 60);
      }
    }
  },
);

forEachDatabase('counts each key separately', MIGRATED, async ({ database }) => {
  const { consume } = createRateLimiter(database);
  assert.equal((await consume('one', 1)).allowed, true);
  assert.equal((await consume('one', 1)).allowed, false);
  assert.equal((await consume('two', 1)).allowed, true);
});

forEachDatabase(
  'a window ends one minute after its first request, and the next one starts full',
  MIGRATED,
  async ({ database }) => {
    let now = 0;
    const { consume } = createRateLimiter(database, () => now);
    for (let time = 0; time < 5; time++) assert.equal((await consume('key', 5)).allowed, true);
    assert.equal((await consume('key', 5)).allowed, false);

    await moveWindowsBack(database, 50);
    now += 50_000;
    const late = await consume('key', 5);
    assert.equal(late.allowed, false, 'the window has not ended yet');
    assert.ok(late.resetSeconds <= 11);

    await moveWindowsBack(database, 10);
    now += 10_000;
    for (let left = 4; left >= 0; left--) assert.equal((await consume('key', 5)).remaining, left);
    assert.equal((await consume('key', 5)).allowed, false);
  },
);

forEachDatabase('does not carry unused tokens into the next window', MIGRATED, async ({ database }) => {
  let now = 0;
  const { consume } = createRateLimiter(database, () => now);
  assert.equal((await consume('key', 100)).remaining, 99, 'ten tokens were taken and one was spent');
  await moveWindowsBack(database, 60);
  now += 60_001;
  let allowed = 0;
  while ((await consume('key', 100)).allowed) allowed++;
  assert.equal(allowed, 100);
});

forEachDatabase('shares one count between two processes', MIGRATED, async (fixture) => {
  const limiters = [createRateLimiter(fixture.database), createRateLimiter(await openAgain(fixture))];
  for (const limit of [1, 3, 37]) {
    let allowed = 0;
    for (let time = 0; time < limit + 5; time++) {
      for (const { consume } of limiters) if ((await consume(`shared ${limit}`, limit)).allowed) allowed++;
    }
    assert.equal(allowed, limit);
  }
});

forEachDatabase('allows 50 of 200 concurrent requests with a limit of 50', MIGRATED, async ({ database }) => {
  assert.equal(await allowedOf([createRateLimiter(database)], 200, 50), 50);
});

forEachDatabase(
  'allows 50 of 200 concurrent requests of two processes with a limit of 50',
  MIGRATED,
  async (fixture) => {
    const limiters = [createRateLimiter(fixture.database), createRateLimiter(await openAgain(fixture))];
    assert.equal(await allowedOf(limiters, 200, 50), 50);
  },
);

forEachDatabase('needs no statement for most requests, and none for refused ones', MIGRATED, async ({ database }) => {
  const counted = countUses(database);
  const limiter = createRateLimiter(counted.database);
  assert.equal(await allowedOf([limiter], 540, 600), 540);
  assert.ok(counted.uses() <= 25, `540 of 600 requests took ${counted.uses()} statements`);
  assert.equal(await allowedOf([limiter], 60, 600), 60);
  const untilFull = counted.uses();
  assert.ok(untilFull <= 50, `600 requests took ${untilFull} statements`);
  assert.equal(await allowedOf([limiter], 1_000, 600), 0);
  assert.equal(counted.uses() - untilFull, 0);
});

forEachDatabase('applies a raised limit within the current window', MIGRATED, async ({ database }) => {
  const { consume } = createRateLimiter(database);
  for (let time = 0; time < 3; time++) assert.equal((await consume('key', 3)).allowed, true);
  assert.equal((await consume('key', 3)).allowed, false);
  for (let left = 2; left >= 0; left--) assert.equal((await consume('key', 6)).remaining, left);
  assert.equal((await consume('key', 6)).allowed, false);
});

forEachDatabase('recovers after a failure of the database', MIGRATED, async ({ database }) => {
  let broken = true;
  const query: Database['query'] = () => {
    if (broken) throw new Error('gone');
    return database.query();
  };
  const { consume } = createRateLimiter({ ...database, query });
  const verdicts = await Promise.allSettled([consume('key', 2), consume('key', 2), consume('key', 2)]);
  assert.deepEqual(
    verdicts.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  broken = false;
  assert.equal((await consume('key', 2)).remaining, 1, 'failed requests are not counted');
});

forEachDatabase('removes only windows that ended long ago', MIGRATED, async ({ database }) => {
  const { consume } = createRateLimiter(database);
  await consume('old', 5);
  await moveWindowsBack(database, 601);
  await consume('recent', 5);
  await removeOldWindows(database);
  const { rows } = await sql<{ key: string }>`SELECT key FROM rate_window`.execute(database.query());
  assert.deepEqual(rows, [{ key: 'recent' }]);
});

forEachDatabase(
  'takes the weight of a request, or nothing if fewer tokens are left',
  MIGRATED,
  async ({ database }) => {
    const { consume } = createRateLimiter(database);
    assert.equal((await consume('key', 25, 10)).remaining, 15);
    assert.equal((await consume('key', 25, 10)).remaining, 5);
    const refused = await consume('key', 25, 10);
    assert.deepEqual([refused.allowed, refused.remaining], [false, 5], 'the tokens that are left stay');
    for (let left = 4; left >= 0; left--) assert.equal((await consume('key', 25)).remaining, left);
    assert.equal((await consume('key', 25)).allowed, false);
    assert.equal((await consume('small', 3, 10)).remaining, 0, 'a weight above the limit takes a whole window');
  },
);

forEachDatabase('shares weights exactly between two processes', MIGRATED, async (fixture) => {
  const limiters = [createRateLimiter(fixture.database), createRateLimiter(await openAgain(fixture))];
  const verdicts = await Promise.all(
    Array.from({ length: 60 }, (_, place) => limiters[place % 2]?.consume('key', 100, 1 + (place % 7))),
  );
  const taken = verdicts.reduce((sum, verdict, place) => sum + (verdict?.allowed ? 1 + (place % 7) : 0), 0);
  assert.ok(taken <= 100, `${taken} of 100 tokens were spent`);
  for (const { consume } of limiters) while ((await consume('rest', 20, 3)).allowed);
  const { rows } = await sql<{ used: number }>`SELECT used FROM rate_window WHERE key = 'rest'`.execute(
    fixture.database.query(),
  );
  assert.deepEqual(rows, [{ used: 20 }]);
});

forEachDatabase('counts work that was already done, even beyond the limit', MIGRATED, async ({ database }) => {
  const { consume, charge, exhausted } = createRateLimiter(database);
  assert.equal((await consume('key', 100)).remaining, 99);
  assert.equal((await charge('key', 100, 4)).remaining, 95, 'paid from the tokens of this process');
  assert.equal((await charge('key', 100, 50)).remaining, 45);
  assert.equal(exhausted('key', 100), null);
  assert.equal((await charge('key', 100, 60)).remaining, 0);
  assert.equal((await consume('key', 100)).allowed, false);
  assert.equal(exhausted('key', 100)?.allowed, false);
});

forEachDatabase('a window that begins in the future has expired', MIGRATED, async ({ database }) => {
  const { consume } = createRateLimiter(database);
  assert.equal((await consume('key', 10, 10)).remaining, 0);
  await moveWindowsBack(database, -3_600);
  const later = await createRateLimiter(database).consume('key', 10);
  assert.deepEqual([later.allowed, later.remaining], [true, 9]);
  assert.ok(later.resetSeconds <= 60);
});
