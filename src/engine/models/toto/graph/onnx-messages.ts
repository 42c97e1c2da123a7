// The protobuf messages of an ONNX model that the graph needs, with the field numbers of onnx.proto.

import { ProtobufWriter } from './protobuf.ts';

const FLOAT = 1;
const INT64 = 7;

/** An attribute of a node. ONNX distinguishes integers from other numbers, but JavaScript does not. */
export type Attribute = { readonly int: number } | { readonly float: number } | { readonly ints: readonly number[] };

interface OnnxNode {
  readonly operator: string;
  /** Empty for ONNX's own operators. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export function floatTensor(name: string, values: Float32Array, shape: readonly number[]): ProtobufWriter {
  return tensor(name, FLOAT, shape, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

export function intTensor(name: string, values: readonly number[]): ProtobufWriter {
  const data = BigInt64Array.from(values, BigInt);
  return tensor(name, INT64, [values.length], new Uint8Array(data.buffer));
}

function tensor(name: string, type: number, shape: readonly number[], data: Uint8Array): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const size of shape) message.integer(1, size);
  return message.integer(2, type).text(8, name).bytes(9, data);
}

export function nodeMessage(node: OnnxNode): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  message.text(4, node.operator).text(7, node.domain);
  for (const [name, attribute] of Object.entries(node.attributes))
    message.message(5, attributeMessage(name, attribute));
  return message;
}

function attributeMessage(name: string, attribute: Attribute): ProtobufWriter {
  const message = new ProtobufWriter().text(1, name);
  if ('float' in attribute) return message.float(2, attribute.float).integer(20, 1);
  if ('int' in attribute) return message.integer(3, attribute.int).integer(20, 2);
  for (const value of attribute.ints) message.integer(8, value);
  return message.integer(20, 7);
}

/** Describes an input or output of the graph. A size is a number, or a name if it is known only during a run. */
export function valueMessage(name: string, shape: readonly (number | string)[]): ProtobufWriter {
  const sizes = new ProtobufWriter();
  for (const size of shape) {
    const dimension = new ProtobufWriter();
    sizes.message(1, typeof size === 'number' ? dimension.integer(1, size) : dimension.text(2, size));
  }
  const tensorType = new ProtobufWriter().integer(1, FLOAT).message(2, sizes);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensorType));
}

export function modelMessage(graph: ProtobufWriter, operatorSets: Readonly<Record<string, number>>): ProtobufWriter {
  const message = new ProtobufWriter().integer(1, IR_VERSION).text(2, 'almanac').message(7, graph);
  for (const [domain, version] of Object.entries(operatorSets)) {
    message.message(8, new ProtobufWriter().text(1, domain).integer(2, version));
  }
  return message;
}

/** The version of the file format that belongs to operator set 17. */
const IR_VERSION = 8;
