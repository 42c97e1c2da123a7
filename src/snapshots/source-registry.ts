import { EVERY_LICENSE, type Licenses } from '../access/index.ts';
import { Fault, type SourceReference, type SourceType } from '../contract/index.ts';
import { requireLicense } from './license-of.ts';
import type { SeriesSource } from './series-source.ts';

/** The sources of this installation by type. */
export interface SourceRegistry {
  /** The source that a reference belongs to. */
  of(reference: SourceReference): SeriesSource;
  readonly all: readonly SeriesSource[];
}

/**
 * @param sources each typed by its own references, which only its own `type` leads to
 * @param licenses under which rows may be read; what there is, and under what, can be looked up in any case
 */
export function createSourceRegistry(
  sources: readonly { readonly type: SourceType }[],
  licenses: Licenses = EVERY_LICENSE,
): SourceRegistry {
  const all = (sources as readonly SeriesSource[]).map((source) => licensed(source, licenses));
  return {
    all,
    of({ type }) {
      const source = all.find((one) => one.type === type);
      if (source === undefined) throw new Fault('UNPROCESSABLE', `source.type: ${type} is not served here.`);
      return source;
    },
  };
}

/** Here and not in each source: one that forgets to ask would give away what is denied. */
function licensed(source: SeriesSource, licenses: Licenses): SeriesSource {
  if (licenses.isOpen) return source;
  return {
    ...source,
    async read(reference, window) {
      const rows = await source.read(reference, window);
      requireLicense(licenses, rows.about);
      return rows;
    },
  };
}
