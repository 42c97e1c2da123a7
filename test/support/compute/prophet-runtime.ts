import { loadProphetRuntime } from '../../../src/compute/index.ts';

export const prophetRuntime = loadProphetRuntime();
