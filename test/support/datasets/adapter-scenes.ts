import type { AdapterScene } from './adapter-scene.ts';
import { createWorldBankScene } from './worldbank-scene.ts';

/** Every adapter with a server of its protocol, by its id. */
export const ADAPTER_SCENES: readonly (readonly [id: string, create: () => Promise<AdapterScene>])[] = [
  ['worldbank', createWorldBankScene],
];
