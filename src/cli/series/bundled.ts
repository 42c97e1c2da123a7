import type { z } from 'zod';
import type { Licenses } from '../../access/index.ts';
import { Fault, type PublicReference, type SeriesDescription } from '../../contract/index.ts';

export type Description = z.output<typeof SeriesDescription>;

/** Opens the series that are installed with the service. */
export async function openBundled(licenses?: Licenses) {
  const [{ openBundledSources }, { ALL_LICENSES }] = await Promise.all([
    import('../../compose/index.ts'),
    import('../../access/index.ts'),
  ]);
  return openBundledSources(licenses ?? ALL_LICENSES);
}

/** Describes a bundled series. Returns null for a series of another provider. */
export async function describeBundled(source: PublicReference, signal: AbortSignal): Promise<Description | null> {
  if ('provider' in source && source.provider !== undefined && source.provider !== 'bundled') return null;
  if (source.type !== 'market' && source.type !== 'economic_series') return null;
  try {
    return await (await openBundled()).of(source).describe(source, signal);
  } catch (error) {
    const isUnknown = error instanceof Fault && error.code === 'NOT_FOUND';
    // Only a bundled series can be meant, so the fault states what is wrong with its name.
    if (isUnknown && source.provider !== 'bundled') return null;
    throw error;
  }
}
