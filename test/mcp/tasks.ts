import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { agentOf, csvRows } from './scene.ts';

const TINY = { csv: csvRows(), horizon: 3, models: ['theta', 'ets'], request_key: 'task' };
/** A forecast that still runs when it is canceled. */
const LONG = { csv: csvRows(1_500), horizon: 60, request_key: 'long-task' };
const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Tests forecasts that a client follows as tasks. */
export function testTasks(open: () => ForecastService, agentOfOwner: () => ReturnType<typeof agentOf>): void {
  const start = (args: object) =>
    agentOfOwner().send({ method: 'tools/call', params: { name: 'forecast', arguments: args }, capabilities });
  const get = async (taskId: string) =>
    (await agentOfOwner().send({ method: 'tasks/get', params: { taskId }, capabilities })).result;

  test('a client that follows tasks gets the result of a forecast from its task', async () => {
    const { result: task } = await start(TINY);
    assert.deepEqual([task.resultType, task.status, task.ttlMs], ['task', 'working', null]);
    const ended = await waitFor(
      () => get(task.taskId),
      ({ status }) => status !== 'working',
    );
    assert.deepEqual([ended.resultType, ended.status], ['complete', 'completed']);
    assert.equal(ended.result.structuredContent.forecast_id, task.taskId);
    assert.match(ended.result.structuredContent.audit.sentence, /that it had not seen/);
    assert.equal(ended.result.content[2].mimeType, 'image/png');
    // A repeated call has nothing to follow.
    const { result: again } = await start(TINY);
    assert.deepEqual([again.resultType, again.structuredContent.forecast_id], ['complete', task.taskId]);
  });

  test('a task is canceled with its forecast', async () => {
    const { result: task } = await start(LONG);
    const of = { params: { taskId: task.taskId }, capabilities };
    const updated = await agentOfOwner().send({ method: 'tasks/update', ...of });
    assert.equal(updated.result.resultType, 'complete');
    const canceled = await agentOfOwner().send({ method: 'tasks/cancel', ...of });
    assert.equal(canceled.result.resultType, 'complete');
    const ended = await waitFor(
      () => get(task.taskId),
      ({ status }) => status !== 'working',
    );
    assert.equal(ended.status, 'cancelled');
  });

  test('tasks of other accounts and unknown ones are not found, and clients must declare the extension', async () => {
    const other = agentOf(open().app, (await open().account()).credentials);
    const { result: task } = await start(TINY);
    const taskId = task.taskId ?? task.structuredContent.forecast_id;
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const foreign = await other.send({ method, params: { taskId }, capabilities });
      const unknown = await other.send({ method, params: { taskId: 'ef_none' }, capabilities });
      assert.deepEqual([foreign.error?.code, unknown.error?.code], [-32602, -32602], method);
      const undeclared = await agentOfOwner().send({ method, params: { taskId } });
      assert.deepEqual([undeclared.status, undeclared.error?.code], [400, -32021], method);
    }
  });
}
