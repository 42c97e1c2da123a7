import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { UsageError } from '../command.ts';
import { readPassword } from './users.ts';

const input = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test('reads a password from the argument, or from the one line of standard input', async () => {
  assert.equal(await readPassword('as typed', input('another')), 'as typed');
  for (const [chunks, password] of [
    [['correct horse'], 'correct horse'],
    [[' correct ', 'horse \n'], ' correct horse '],
    [['correct horse\r\n'], 'correct horse'],
    [[Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], 'ä'],
  ] as const) {
    assert.equal(await readPassword('-', input(...chunks)), password);
  }
});

test('refuses standard input that is not one line of text', async () => {
  for (const [source, message] of [
    [input(), /one line/],
    [input('\n'), /one line/],
    [input('correct\nhorse'), /one line/],
    [input(Buffer.from([0xff])), /UTF-8/],
    [input('x'.repeat(8_193)), /longer/],
    [Object.assign(input('typed\n'), { isTTY: true }), /pipe it or redirect a file/],
  ] as const) {
    await assert.rejects(readPassword('-', source), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      return true;
    });
  }
});
