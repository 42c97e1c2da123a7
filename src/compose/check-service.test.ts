import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createCompleted } from '../../test/support/forecasts/completed-forecasts.ts';
import { create, type ForecastService, openForecastService } from '../../test/support/forecasts/forecast-service.ts';
import { testedKind } from '../../test/support/platform/database.ts';
import { EVENTS, eventRequest } from '../../test/support/scout/events.ts';
import { makeCsvFile } from '../../test/support/workspaces/csv-files.ts';
import { makeWorkspace } from '../../test/support/workspaces/workspaces.ts';
import { type CheckName, type CheckReport, checkService } from './check-service.ts';

/** Ends a transaction without an effect. */
class Undo extends Error {}

describe(`the check of a service [${testedKind}]`, () => {
  let service: ForecastService;
  let completed: string;
  let waiting: string;

  before(async () => {
    service = await openForecastService(testedKind);
    const caller = await service.account();
    completed = (await createCompleted(service, caller)).forecast_id;
    waiting = (await create(caller)).data.forecast_id;
    assert.equal((await caller.request('POST', EVENTS, eventRequest())).status, 201);
    const workspace = await makeWorkspace(service.database, String(caller.accountId));
    await makeCsvFile(service.database, workspace.id, String(caller.accountId));
  });
  after(() => service?.[Symbol.asyncDispose]());

  /** Checks the service as it would be after these statements. */
  async function checkAfter(...statements: string[]): Promise<CheckReport> {
    let report: CheckReport | undefined;
    await service.database
      .transaction(async (tx) => {
        for (const statement of statements) await sql.raw(statement).execute(tx.query());
        report = await checkService(tx);
        throw new Undo();
      })
      .catch((error) => {
        if (!(error instanceof Undo)) throw error;
      });
    assert.ok(report);
    return report;
  }

  test('a sound service has no findings, and everything was looked at', async () => {
    const { sound, checked, findings } = await checkService(service.database);
    assert.deepEqual([sound, findings], [true, []]);
    const { references, ...rest } = checked;
    assert.ok(references > 50);
    assert.deepEqual(rest, { ledger: rest.ledger, storage: 2, snapshots: 2, files: 1, proofs: 2, queue: 1 });
    assert.ok(rest.ledger >= 4);
  });

  const ofCompleted = () => `id = (SELECT snapshot_id FROM forecast WHERE id = '${completed}')`;

  const finds = (
    name: string,
    check: CheckName,
    statements: () => string[],
    expected: RegExp,
    subject?: () => string,
  ) =>
    test(`finds ${name}`, async () => {
      const { sound, findings } = await checkAfter(...statements());
      const found = findings.filter((finding) => finding.check === check);
      assert.deepEqual([sound, found.length], [false, 1], JSON.stringify(findings));
      assert.match(found[0]?.problem ?? '', expected);
      assert.ok((found[0]?.remedy.length ?? 0) > 20);
      if (subject) assert.equal(found[0]?.subject, subject());
    });

  finds(
    'a transfer that does not add up',
    'ledger',
    () => [
      `UPDATE ledger_entry SET amount = amount + 1 WHERE transfer = 'reserve:${waiting}' AND ledger_account = 'available'`,
    ],
    /do not add up to 0/,
    () => `reserve:${waiting}`,
  );
  finds(
    'a forecast whose credits do not match its state',
    'ledger',
    () => [`DELETE FROM ledger_entry WHERE transfer = 'capture:${completed}'`],
    /completed, reserved/,
    () => completed,
  );
  finds(
    'a slot without a forecast',
    'ledger',
    () => ['UPDATE admission SET active = 5'],
    /5 slots are counted, and 1 /,
  );
  finds(
    'a wrong count of bytes',
    'storage',
    () => [`UPDATE stored_bytes SET bytes = bytes + 1 WHERE payer LIKE 'usr%'`],
    /bytes are counted, and/,
  );
  finds(
    'a row that refers to nothing',
    'references',
    () => [
      'ALTER TABLE snapshot_holder DISABLE TRIGGER ALL',
      `INSERT INTO snapshot_holder (snapshot_id, holder) VALUES ('snap_none', 'x')`,
    ],
    /^1 row refers to rows of snapshot that do not exist/,
    () => 'snapshot_holder.snapshot_id',
  );
  finds(
    'a snapshot with another content',
    'snapshots',
    () => [`UPDATE snapshot SET header = replace(header, '"form":1', '"form":2') WHERE ${ofCompleted()}`],
    /its digest is not/,
  );
  finds(
    'a snapshot that cannot be unpacked',
    'snapshots',
    () => [`UPDATE snapshot SET packed = substr(packed, 1, 20) WHERE ${ofCompleted()}`],
    /^The snapshot cannot be read: /,
  );
  finds(
    'a file whose rows cannot be unpacked',
    'files',
    () => ['UPDATE csv_chunk SET packed = substr(packed, 1, 10)'],
    /^The rows cannot be read: /,
  );
  finds(
    'a file without some of its rows',
    'files',
    () => ['UPDATE csv_file SET rows = rows + 1'],
    /^The rows cannot be read: Rows of .* are missing/,
  );
  finds(
    'a result with another number',
    'proofs',
    () => [
      `UPDATE forecast SET result = replace(result::text, '"horizon"', '"Horizon"')::json WHERE id = '${completed}'`,
      `UPDATE forecast SET result_sha256 = repeat('0', 64) WHERE id = '${completed}'`,
    ],
    /The stored result of the forecast .* has changed/,
    () => completed,
  );
  finds(
    'a proof of another document',
    'proofs',
    () => [`UPDATE forecast SET finished_at = finished_at + interval '1 second' WHERE id = '${completed}'`],
    /The stored rows of the forecast .* have changed/,
    () => completed,
  );
  finds(
    'a changed revision of an event',
    'proofs',
    () => ['UPDATE event_revision SET probability = 0.123'],
    /The stored rows of revision 1 of the forecast .* have changed/,
  );
  finds(
    'a stamp for another document',
    'proofs',
    () => [
      `INSERT INTO proof (content_cid, kind, subject, status, created_at, attempts)
       VALUES ('0x${'ab'.repeat(32)}', 'forecast', '${completed}', 'pending', now(), 0)`,
    ],
    /Another content id .* was handed over/,
    () => completed,
  );
  finds(
    'a forecast that waits without a job',
    'queue',
    () => [`DELETE FROM queue.job WHERE data->>'forecast_id' = '${waiting}'`],
    /the queue has no job for it/,
    () => waiting,
  );
  finds(
    'a job without a forecast',
    'queue',
    () => [
      `UPDATE queue.job SET data = jsonb_set(data, '{forecast_id}', '"ef_none"'), id = gen_random_uuid()
       WHERE data->>'forecast_id' = '${completed}'`,
      `UPDATE queue.job SET state = 'created' WHERE data->>'forecast_id' = 'ef_none'`,
    ],
    /a job for a forecast that does not exist/,
  );

  test('records no use of a snapshot, which would keep it longer', async () => {
    await sql`UPDATE snapshot SET last_used_at = last_used_at - interval '2 days'`.execute(service.database.query());
    const read = async () =>
      (await sql`SELECT id, last_used_at FROM snapshot ORDER BY id`.execute(service.database.query())).rows;
    const before = await read();
    await checkService(service.database);
    assert.deepEqual(await read(), before);
  });
});
