import { loadProphetRuntime } from '../../../src/compute/prophet-runtime.ts';

export const prophetRuntime = loadProphetRuntime();
