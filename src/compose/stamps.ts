import { type Config, fixedConfig, type LiveConfig } from '../platform/index.ts';
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
  config: Config,
  parts: Omit<StampContext, 'perDay'>,
  live: LiveConfig = fixedConfig(config),
): Promise<Stamper | null> {
  const { stamper, perDay } = config.stamps;
  if (stamper === null) return null;
  const context = { ...parts, perDay };
  if (stamper.kind === 'vbase') {
    const key = () => {
      const { stamper: now } = live.current().stamps;
      return now?.kind === 'vbase' ? now.key : stamper.key;
    };
    return createVbaseStamper(context, { ...stamper, key });
  }
  const { keyPath, ...chain } = stamper;
  return openChainStamper(context, { ...chain, key: readKeyFile(keyPath) });
}
