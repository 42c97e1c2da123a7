import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PreparedStatements } from './prepared-statements.ts';

/** Uses a statement like the runner and returns the name by which it ran. */
function use(statements: PreparedStatements, text: string): string {
  const { name, isKnown } = statements.nameFor(text);
  if (name !== '' && !isKnown) statements.remember(text, name);
  return name;
}

test('gives a statement a name at its second use and keeps it', () => {
  const statements = new PreparedStatements();
  assert.deepEqual(statements.nameFor('select 1'), { name: '', isKnown: false });
  const { name, isKnown } = statements.nameFor('select 1');
  assert.ok(name !== '' && !isKnown);
  statements.remember('select 1', name);
  assert.deepEqual(statements.nameFor('select 1'), { name, isKnown: true });
});

test('does not reuse a name that the database did not accept', () => {
  const statements = new PreparedStatements();
  statements.nameFor('select 1');
  const refused = statements.nameFor('select 1');
  const next = statements.nameFor('select 1');
  assert.equal(next.isKnown, false);
  assert.notEqual(next.name, refused.name);
});

test('gives no name to statements without a plan and to very long ones', () => {
  const statements = new PreparedStatements();
  const texts = ['create table t (id int8)', 'begin', 'savepoint a', 'do $$ begin end $$', 'explain select 1', ''];
  texts.push(`insert into t values ${Array(3_000).fill('($1)').join(', ')}`);
  for (const text of [...texts, ...texts, ...texts]) assert.equal(use(statements, text), '', text.slice(0, 30));
  for (const text of ['SELECT 1', ' \n(select 1) union (select 2)', 'with a as (select 1) select * from a']) {
    use(statements, text);
    assert.notEqual(use(statements, text), '', text);
  }
});

test('drops the least recently used name once when there are too many', () => {
  const statements = new PreparedStatements(2);
  const prepare = (text: string) => [use(statements, text), use(statements, text)][1];
  const first = prepare('select 1');
  const second = prepare('select 2');
  use(statements, 'select 1');
  prepare('select 3');
  assert.deepEqual(statements.takeDropped(), [second]);
  assert.deepEqual(statements.takeDropped(), []);
  assert.equal(use(statements, 'select 1'), first);
});

test('evicts nothing for texts that are used once', () => {
  const statements = new PreparedStatements(2);
  use(statements, 'select 1');
  const name = use(statements, 'select 1');
  for (let n = 0; n < 2_000; n += 1) use(statements, `select ${n} as once`);
  assert.equal(use(statements, 'select 1'), name);
  assert.deepEqual(statements.takeDropped(), []);
});

test('drops all names when all are forgotten and gives a repeated text another name', () => {
  const statements = new PreparedStatements();
  const names = ['select 1', 'select 2'].map((text) => [use(statements, text), use(statements, text)][1]);
  statements.forgetAll();
  assert.deepEqual(statements.takeDropped(), names);
  const again = statements.nameFor('select 1');
  assert.equal(again.isKnown, false);
  assert.ok(!names.includes(again.name));
});
