import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBar, formatTimeLeft, type Progress, startProgress } from './progress.ts';

function writtenTo(isTTY: boolean, run: (progress: Progress) => void): string {
  let text = '';
  const write = (piece: string) => {
    text += piece;
    return true;
  };
  using progress = startProgress({ isTTY, write });
  run(progress);
  progress[Symbol.dispose]();
  return text;
}

test('fills the bar in proportion to the work done', () => {
  assert.equal(formatBar(1, 3), '[==========                    ] 1 of 3');
  assert.equal(formatBar(3, 3), `[${'='.repeat(30)}] 3 of 3`);
});

test('estimates the remaining time from the time that the completed part took', () => {
  assert.equal(formatTimeLeft(4_000, 1, 3), 'about 8 s left');
  assert.equal(formatTimeLeft(4_000, 3, 3), '4 s');
  assert.equal(formatTimeLeft(4_000, 0, 3), '4 s');
});

test('replaces one line on a terminal, and writes the first and the last line to a file', () => {
  const showFour = (progress: Progress) => {
    for (const done of [1, 2, 3, 4]) progress.show(`${done} of 4, all well`, done === 4);
  };
  const terminal = writtenTo(true, showFour);
  assert.equal(terminal.split('\r').length, 5);
  assert.match(terminal, /4 of 4, all well\n$/);
  assert.equal(writtenTo(false, showFour), '1 of 4, all well\n4 of 4, all well\n');
});

test('ends an open line before a note', () => {
  const showAndNote = (progress: Progress) => {
    progress.show('1 of 2', false);
    progress.note('resuming');
    progress.show('2 of 2', true);
    progress.note('done');
  };
  assert.equal(writtenTo(true, showAndNote), '\r\u001b[K1 of 2\nresuming\n\r\u001b[K2 of 2\ndone\n');
  assert.equal(writtenTo(false, showAndNote), '1 of 2\nresuming\n2 of 2\ndone\n');
});

test('releases the signal handlers when it is disposed of', () => {
  const before = process.listenerCount('SIGINT');
  writtenTo(false, () => assert.equal(process.listenerCount('SIGINT'), before + 1));
  assert.equal(process.listenerCount('SIGINT'), before);
});
