import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barOf, progressLine } from './progress-line.ts';

function shownOn(isTTY: boolean): string {
  let text = '';
  const write = (piece: string | Uint8Array) => {
    text += piece;
    return true;
  };
  using line = progressLine({ isTTY, write });
  for (const done of [1, 2, 3, 4]) line.show(done, 4, 'all well');
  line[Symbol.dispose]();
  return text;
}

test('the bar is as full as the work is done', () => {
  assert.equal(barOf(1, 3), '[==========                    ] 1 of 3');
  assert.equal(barOf(3, 3), `[${'='.repeat(30)}] 3 of 3`);
});

test('a terminal shows one line that changes, a file a line now and then', () => {
  const terminal = shownOn(true);
  assert.equal(terminal.split('\r').length, 5);
  assert.match(terminal, /4 of 4, all well, 0 s\n$/);
  assert.equal(shownOn(false).trimEnd().split('\n').length, 2, 'the first and the last');
});

test('the signals are let go', () => {
  const before = process.listenerCount('SIGINT');
  const line = progressLine({ write: () => true });
  assert.equal(process.listenerCount('SIGINT'), before + 1);
  line[Symbol.dispose]();
  assert.equal(process.listenerCount('SIGINT'), before);
});
