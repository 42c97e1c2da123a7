import assert from 'node:assert/strict';
import { findRuleSource } from '../../src/scout/from-forecast/create-from-forecast.ts';
import { onScout } from '../support/scout/scout-scene.ts';
import { DAILY_CSV, makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeWorkspace } from '../support/workspaces/workspaces.ts';

const FRIDAY = '2026-03-06';

onScout(
  'accepts a rule on a file for a private question or within the workspace of the file',
  async (scene, database) => {
    const { accountId } = scene.author;
    const [files, other] = [await makeWorkspace(database, accountId), await makeWorkspace(database, accountId)];
    const csv_id = await makeCsvFile(database, files.id, accountId, DAILY_CSV);
    const source = {
      type: 'workspace_csv',
      workspace_id: files.slug,
      csv_id,
      time_field: 'date',
      value_field: 'value',
    } as const;
    const refused = (fields: object) =>
      assert.rejects(scene.publish(FRIDAY, fields, { source }), {
        code: 'INVALID_REQUEST',
        message: /^visibility: the resolution shows a row/,
      });
    await refused({ visibility: 'public' });
    await refused({ visibility: 'public', workspace_id: files.id });
    await refused({ workspace_id: other.id });
    for (const fields of [{}, { workspace_id: files.id }, { workspace_id: other.id, visibility: 'private' }]) {
      assert.notEqual((await scene.publish(FRIDAY, fields, { source })).resolution_rule, null);
    }
    const resolved = { ...source, workspace_id: files.id };
    const forQuestions = (visibility: 'private' | 'workspace' | 'public', workspaceId: string | null) =>
      findRuleSource(scene.context, scene.author, resolved, { visibility, workspaceId });
    assert.equal(await forQuestions('public', null), null, 'questions from a forecast get no rule');
    assert.equal(await forQuestions('workspace', other.id), null);
    assert.deepEqual(await forQuestions('workspace', files.id), resolved);
    assert.deepEqual(await forQuestions('private', null), resolved);
  },
);

onScout('refuses a rule that can never be decided, with the name of the field', async (scene) => {
  const refused = async (message: RegExp, observedAt: string, rule: object = {}, fields: object = {}) =>
    assert.rejects(scene.publish(observedAt, fields, rule), {
      code: /INVALID_REQUEST|NOT_FOUND|UNPROCESSABLE/,
      message,
    });
  await refused(/observed_at: the series has no row at this time.*session/, '2026-03-07');
  await refused(/observed_at: its period has ended/, '2026-02-27');
  await refused(
    /observed_at: its period has ended/,
    '0001-01-01T00:00:00Z',
    {},
    { resolution_deadline: '2026-05-01T00:00:00Z' },
  );
  await refused(
    /observed_at: must not be after resolution_deadline/,
    '2026-06-01',
    {},
    { resolution_deadline: '2026-05-01T00:00:00Z' },
  );
  await refused(
    /observed_at: its period ends at 2026-03-06T21:00.*after resolution_deadline/,
    FRIDAY,
    {},
    { resolution_deadline: '2026-03-06T20:00:00Z' },
  );
  await refused(/resolution_rule\.source\.provider|not configured/, FRIDAY, {
    source: { type: 'market', symbol: 'KNOWN', timeframe: '1D', provider: 'massive' },
  });
  await refused(/resolution_rule\.source\.value_field/, FRIDAY, {
    source: { type: 'market', symbol: 'KNOWN', timeframe: '1D', provider: 'alpaca', value_field: 'vwap' },
  });
  await refused(/^resolution_rule\.source.*no series/i, FRIDAY, {
    source: { type: 'economic_series', provider: 'bundled', series_id: 'nope' },
  });
});
