import { optimizer } from '@bsull/augurs-prophet-wasmstan';
import type { ProphetRuntime } from '../../src/forecasting/models/prophet/index.ts';

/** Prophet's Stan program. Its package reads the WASM beside it while it is imported. */
export const prophetRuntime: ProphetRuntime = optimizer as unknown as ProphetRuntime;
