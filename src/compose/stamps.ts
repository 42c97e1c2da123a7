import type { Config } from '../platform/index.ts';
import {
  createVbaseStamper,
  openChainStamper,
  readKeyFile,
  type StampContext,
  type Stamper,
  type StampPolicy,
} from '../provenance/index.ts';

/** Returns which proofs an installation stamps. */
export function createStampPolicy({ stamps }: Config): StampPolicy {
  return { isConfigured: stamps.stamper !== null, selection: stamps.selection };
}

/** Opens the configured way to stamp proofs; null if none is configured. Throws a `ConfigError` for an invalid key file. */
export async function openStamper(
  { stamps: { stamper, perDay } }: Config,
  parts: Omit<StampContext, 'perDay'>,
): Promise<Stamper | null> {
  if (stamper === null) return null;
  const context = { ...parts, perDay };
  if (stamper.kind === 'vbase') return createVbaseStamper(context, stamper);
  const { keyPath, ...chain } = stamper;
  return openChainStamper(context, { ...chain, key: readKeyFile(keyPath) });
}
