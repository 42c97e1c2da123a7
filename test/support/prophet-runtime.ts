import { loadProphetRuntime } from '../../src/compute/index.ts';

export const prophetRuntime = await loadProphetRuntime();
