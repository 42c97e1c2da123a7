import { CheckpointError } from '../checkpoint-error.ts';
import { type ConfigValues, parseConfig, requireConfig } from '../config-values.ts';
import { downloadConfig } from './download-config.ts';
import { persistently } from './persistently.ts';
import type { Pull } from './pull.ts';

export interface FetchedConfig {
  readonly bytes: Uint8Array;
  readonly values: ConfigValues;
}

/** The config of a source: with a known release exactly its own. */
export async function fetchConfig(pull: Pull): Promise<FetchedConfig> {
  const { source, patience, signal } = pull;
  const bytes = await persistently(pull, source.configUrl, () => downloadConfig(source.configUrl, patience, signal));
  try {
    const values = parseConfig(bytes);
    if (source.release !== undefined) requireConfig(values, source.release.config);
    return { bytes, values };
  } catch (error) {
    // A page that stands in for the file, say: who asked must know whose answer it is.
    const { code, message } = error as CheckpointError;
    throw new CheckpointError(code, `${source.configUrl} cannot be used: ${message}`, { cause: error });
  }
}
