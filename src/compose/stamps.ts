import type { Config } from '../platform/index.ts';
import type { StampPolicy } from '../provenance/index.ts';

/** Returns which proofs an installation stamps. */
export function createStampPolicy({ stamps }: Config): StampPolicy {
  return { isConfigured: stamps.stamper !== null, selection: stamps.selection };
}
