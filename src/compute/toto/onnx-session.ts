import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { StartSession } from '../../engine/index.ts';

/**
 * Loads a graph into onnxruntime in the calling thread. Each run uses a single thread, so that its digits are
 * reproducible.
 */
export const startOnnxSession: StartSession = async (graph) => {
  const session = await InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
  });
  return {
    run: async (feeds) => {
      const tensors = Object.entries(feeds).map(([name, { data, shape }]) => [name, new Tensor(data, shape)]);
      const outputs = await session.run(Object.fromEntries(tensors));
      return Object.fromEntries(Object.entries(outputs).map(([name, { data, dims }]) => [name, { data, shape: dims }]));
    },
  };
};
