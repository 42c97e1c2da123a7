import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandTracker } from './command-tracker.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function changesSchema(tag: string, sent: string): boolean {
  const watch = new CommandTracker();
  watch.recordCompleted(tag, bytes(sent));
  return watch.takeSchemaChanged();
}

test('counts every command as a change of the schema except known ones', () => {
  const same = [
    'SELECT 2',
    'INSERT 0 5',
    'UPDATE 0',
    'DELETE 1',
    'MERGE 3',
    'BEGIN',
    'COMMIT',
    'ROLLBACK',
    'SAVEPOINT',
  ];
  for (const tag of [...same, 'RELEASE', 'VACUUM', 'CHECKPOINT', 'LISTEN', 'NOTIFY', 'DISCARD PLANS']) {
    assert.equal(changesSchema(tag, ''), false, tag);
  }
  const changes = ['CREATE TABLE', 'ALTER TABLE', 'DROP INDEX', 'DO', 'CALL', 'DISCARD ALL', 'DEALLOCATE ALL', 'RESET'];
  for (const tag of [...changes, 'COMMENT', 'SOMETHING NEW 5']) assert.equal(changesSchema(tag, ''), true, tag);
});

test('counts a table created from a query as a change, although its tag is SELECT', () => {
  assert.equal(changesSchema('SELECT 3', 'create temp table t as select * from u'), true);
  assert.equal(changesSchema('SELECT 3', 'select created_at from u'), false);
});

test('counts a setting as a change if names depend on it or it is unknown', () => {
  assert.equal(changesSchema('SET', 'SET LOCAL synchronous_commit = off'), false);
  assert.equal(changesSchema('SET', 'set local search_path = other'), true);
  assert.equal(changesSchema('SET', "set schema 'other'"), true);
  assert.equal(changesSchema('SET', 'E\0\0\0\t\0\0\0\0\0'), true);
});

test('counts the end of a transaction as a change only if the transaction changed the schema', () => {
  const watch = new CommandTracker();
  const ran = (...tags: string[]) => {
    for (const tag of tags) watch.recordCompleted(tag, bytes(''));
    return watch.takeSchemaChanged();
  };
  assert.equal(ran('BEGIN', 'INSERT 0 1', 'ROLLBACK'), false);
  assert.equal(ran('BEGIN', 'SAVEPOINT', 'ALTER TABLE'), true);
  assert.equal(ran('SELECT 1'), false);
  assert.equal(ran('ROLLBACK'), true, 'to the savepoint');
  assert.equal(ran('ROLLBACK'), true, 'of all');
  assert.equal(ran('BEGIN', 'COMMIT'), true, 'which ROLLBACK it was is not known');
  assert.equal(ran('BEGIN', 'COMMIT'), false);
});

test('counts written rows until they reach the limit', () => {
  const watch = new CommandTracker();
  watch.recordCompleted('SELECT 5000', bytes(''));
  watch.recordCompleted('INSERT 0 900', bytes(''));
  assert.equal(watch.takeManyWritten(), false);
  watch.recordCompleted('UPDATE 60', bytes(''));
  watch.recordCompleted('DELETE 40', bytes(''));
  assert.equal(watch.takeManyWritten(), true);
  assert.equal(watch.takeManyWritten(), false);
});
