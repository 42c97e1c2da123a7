import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayProgress, showPull } from './show-pull.ts';

function shownOn(isTTY: boolean, run: (shown: ReturnType<typeof showPull>) => void): string {
  let text = '';
  using shown = showPull({
    isTTY,
    write(piece: string | Uint8Array) {
      text += piece;
      return true;
    },
  });
  run(shown);
  shown[Symbol.dispose]();
  return text;
}

const at = (received: number) => ({ kind: 'progress', received, total: 16_582_848, rate: 2_100_000 }) as const;

test('progress names bytes, share and rate', () => {
  assert.equal(sayProgress(at(8_300_000)), '8.3 of 16.6 MB, 50 %, 2.1 MB/s');
  assert.equal(sayProgress(at(16_582_847)), '16.6 of 16.6 MB, 99 %, 2.1 MB/s');
  assert.equal(sayProgress({ ...at(5_000_000), total: undefined }), '5.0 MB, 2.1 MB/s');
});

test('a terminal shows one line that changes, a file a line now and then', () => {
  const run = (shown: ReturnType<typeof showPull>) => {
    for (const received of [1, 2, 3, 16_582_848]) shown.onEvent(at(received));
    shown.onEvent({ kind: 'note', text: 'done' });
  };
  const terminal = shownOn(true, run);
  assert.equal(terminal.split('\r').length, 5);
  assert.ok(terminal.endsWith('100 %, 2.1 MB/s\ndone\n'));
  assert.deepEqual(shownOn(false, run).split('\n').length, 4, 'the first, the last and the note');
});

test('the signals are let go', () => {
  const before = process.listenerCount('SIGINT');
  shownOn(false, () => assert.equal(process.listenerCount('SIGINT'), before + 1));
  assert.equal(process.listenerCount('SIGINT'), before);
});
