import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { UsageError } from './command.ts';
import { readPassword } from './read-password.ts';

const input = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test('a password is what was given, or the line of standard input', async () => {
  assert.equal(await readPassword('given as it is', input('another')), 'given as it is');
  for (const [chunks, password] of [
    [['correct horse'], 'correct horse'],
    [[' correct ', 'horse \n'], ' correct horse '],
    [['correct horse\r\n'], 'correct horse'],
    [[Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], 'ä'],
  ] as const) {
    assert.equal(await readPassword('-', input(...chunks)), password);
  }
});

test('standard input that is no password is refused', async () => {
  for (const [source, message] of [
    [input(), /one line/],
    [input('\n'), /one line/],
    [input('correct\nhorse'), /one line/],
    [input(Buffer.from([0xff])), /UTF-8/],
    [input('x'.repeat(8_193)), /longer/],
    [Object.assign(input('typed\n'), { isTTY: true }), /by a pipe or from a file/],
  ] as const) {
    await assert.rejects(readPassword('-', source), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      return true;
    });
  }
});
