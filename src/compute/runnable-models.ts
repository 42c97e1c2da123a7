import { MODEL_CATALOGUE } from '../forecasting/index.ts';

/** The models that the engine of this build can run, without starting it: all but the one whose runtime is missing. */
export const RUNNABLE_MODELS: readonly string[] = MODEL_CATALOGUE.map(({ id }) => id).filter((id) => id !== 'toto');
