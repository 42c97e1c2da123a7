import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { StartSession } from '../../engine/index.ts';

/** Starts a graph on onnxruntime in the calling thread. Each run uses one thread, so that its digits repeat. */
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
