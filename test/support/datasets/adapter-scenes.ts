import type { AdapterScene } from './adapter-scene.ts';
import { createDbnomicsScene } from './dbnomics-scene.ts';
import { createEcbScene } from './ecb-scene.ts';
import { createEurostatScene } from './eurostat-scene.ts';
import { createFredScene } from './fred-scene.ts';
import { createWorldBankScene } from './worldbank-scene.ts';

/** Every adapter with a server of its protocol, by its id. */
export const ADAPTER_SCENES: readonly (readonly [id: string, create: () => Promise<AdapterScene>])[] = [
  ['fred', createFredScene],
  ['dbnomics', createDbnomicsScene],
  ['worldbank', createWorldBankScene],
  ['ecb', createEcbScene],
  ['eurostat', createEurostatScene],
];
