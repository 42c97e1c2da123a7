import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operations, RECORDED, type RecordedResponse } from '../../src/contract/index.ts';
import { findShapeDifference } from '../support/api/compare-shapes.ts';
import { runExamples } from '../support/api/run-examples.ts';
import { openForecastService } from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

test('every example answers, and its response has the shape of the recorded one', async () => {
  await using service = await openForecastService(testedKind);
  const { responses, variables } = await runExamples(service);
  const differences = (Object.keys(operations) as OperationId[]).flatMap((id) => {
    const recorded = nameIds(RECORDED.responses[id], RECORDED.variables);
    const difference = findShapeDifference(recorded, nameIds(responses[id], variables));
    return difference === null ? [] : [`${id}: ${difference}`];
  });
  assert.deepEqual(differences, [], 'record the responses again: npm run examples');
});

/** Replaces the ids of a run by the names of their variables, because some objects have ids as keys. */
function nameIds(response: RecordedResponse | undefined, variables: Readonly<Record<string, string>>): unknown {
  assert.ok(response);
  let text = JSON.stringify(response);
  for (const [name, value] of Object.entries(variables)) {
    if (name.endsWith('_id')) text = text.replaceAll(value, `{{${name}}}`);
  }
  return JSON.parse(text);
}

test('the comparison of shapes finds missing and additional keys and other types', () => {
  const recorded = { data: { id: 'a', rows: [{ value: 1 }], none: null } };
  const compare = (data: object) => findShapeDifference(recorded, { data });
  assert.equal(compare({ id: 'b', rows: [{ value: 2 }, { value: 3 }], none: 4 }), null);
  assert.equal(compare({ id: 'b', rows: [], none: null }), null);
  assert.equal(compare({ rows: [], none: null }), '.data has no id');
  assert.equal(compare({ id: 'b', rows: [{ value: 1, at: 2 }], none: 1 }), '.data.rows[0] has the additional keys at');
  assert.match(compare({ id: 1, rows: [], none: 1 }) ?? '', /^\.data\.id is a value of the type number instead of/);
  assert.match(compare({ id: 'b', rows: {}, none: 1 }) ?? '', /^\.data\.rows is a value of the type object instead/);
});
