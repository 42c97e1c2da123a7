import { CheckpointError } from '../checkpoint/checkpoint-error.ts';
import { type Attribute, floatTensor, intTensor, modelMessage, nodeMessage, valueMessage } from './onnx-messages.ts';
import { ProtobufWriter } from './protobuf.ts';

/** The name of a tensor in the graph. */
export type Value = string;

/** The domain of onnxruntime's own operators, which compute a whole attention or norm in one step. */
export const RUNTIME_OPERATORS = 'com.microsoft';

const OPERATOR_SETS = { '': 17, [RUNTIME_OPERATORS]: 1 };

/** The size limit of a protobuf message. */
const MAX_BYTES = 2 ** 31 - 1;

interface NodeOptions {
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** Builds an ONNX graph. Nodes are added in the order in which they run. */
export class GraphBuilder {
  readonly #nodes: ProtobufWriter[] = [];
  readonly #constants: ProtobufWriter[] = [];
  readonly #inputs: ProtobufWriter[] = [];
  readonly #outputs: ProtobufWriter[] = [];
  #values = 0;

  input(name: string, shape: readonly (number | string)[]): Value {
    this.#inputs.push(valueMessage(name, shape));
    return name;
  }

  output(name: string, shape: readonly (number | string)[], value: Value): void {
    this.#outputs.push(valueMessage(name, shape));
    this.#nodes.push(
      nodeMessage({ operator: 'Identity', domain: '', inputs: [value], outputs: [name], attributes: {} }),
    );
  }

  floats(values: Float32Array, shape: readonly number[]): Value {
    const name = this.#newName();
    this.#constants.push(floatTensor(name, values, shape));
    return name;
  }

  ints(...values: readonly number[]): Value {
    const name = this.#newName();
    this.#constants.push(intTensor(name, values));
    return name;
  }

  node(operator: string, inputs: readonly Value[], options: NodeOptions = {}): Value {
    return this.nodes(operator, inputs, 1, options)[0] as Value;
  }

  /** Adds a node with several outputs. */
  nodes(operator: string, inputs: readonly Value[], outputs: number, options: NodeOptions = {}): Value[] {
    const { domain = '', attributes = {} } = options;
    const names = Array.from({ length: outputs }, () => this.#newName());
    this.#nodes.push(nodeMessage({ operator, domain, inputs, outputs: names, attributes }));
    return names;
  }

  /** Returns the model in the form that onnxruntime loads. */
  toBytes(): Uint8Array {
    const graph = new ProtobufWriter();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, 'toto');
    for (const constant of this.#constants) graph.message(5, constant);
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    const model = modelMessage(graph, OPERATOR_SETS);
    if (model.size <= MAX_BYTES) return model.toBytes();
    throw new CheckpointError('TOO_LARGE', `The weights make a graph of ${model.size} bytes, more than ${MAX_BYTES}.`);
  }

  #newName(): Value {
    this.#values++;
    return `v${this.#values}`;
  }
}
