import { createInlineRunner, createModels, type FitRunner, type Model, ModelError } from '../../../src/engine/index.ts';

export const MODELS = createModels({});
/** Runs every model but prophet in the thread of the test. */
export const RUNNER = createInlineRunner(MODELS);
export const ENSEMBLE = ['ets', 'theta', 'arima'];

/** Returns a runner with some models replaced. */
export function runnerWith(replaced: Record<string, Partial<Model>>): FitRunner {
  const models = [...MODELS].map(([id, model]): [string, Model] => [id, { ...model, ...replaced[id] }]);
  return createInlineRunner(new Map(models));
}

export const FAILING: Partial<Model> = {
  fit: () => {
    throw new ModelError('NOT_CONVERGED', 'It does not converge.');
  },
};

/** Returns a model that fails on fewer rows, and so succeeds only near the end of the series. */
export function failingBefore(rows: number, id: string): Partial<Model> {
  return {
    fit: (series, context) => {
      if (series.values.length < rows) throw new ModelError('INSUFFICIENT_HISTORY', 'Too short for me.');
      return (MODELS.get(id) as Model).fit(series, context);
    },
  };
}
