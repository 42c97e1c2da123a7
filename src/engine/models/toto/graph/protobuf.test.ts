import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufWriter } from './protobuf.ts';

const bytesOf = (writer: ProtobufWriter): number[] => [...writer.toBytes()];

test('writes the examples of the protobuf documentation', () => {
  assert.deepEqual(bytesOf(new ProtobufWriter().integer(1, 150)), [0x08, 0x96, 0x01]);
  assert.deepEqual(
    bytesOf(new ProtobufWriter().text(2, 'testing')),
    [0x12, 7, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67],
  );
  const inner = new ProtobufWriter().integer(1, 150);
  assert.deepEqual(bytesOf(new ProtobufWriter().message(3, inner)), [0x1a, 3, 0x08, 0x96, 0x01]);
});

test('writes negative integers, floats and fields beyond 15', () => {
  assert.deepEqual(bytesOf(new ProtobufWriter().integer(1, -2)), [0x08, 0xfe, ...Array(8).fill(0xff), 0x01]);
  assert.deepEqual(bytesOf(new ProtobufWriter().float(2, 1)), [0x15, 0, 0, 0x80, 0x3f]);
  assert.deepEqual(bytesOf(new ProtobufWriter().integer(20, 7)), [0xa0, 0x01, 7]);
});
