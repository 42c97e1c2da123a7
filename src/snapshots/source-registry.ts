import { Fault, type SourceReference, type SourceType } from '../contract/index.ts';
import type { SeriesSource } from './series-source.ts';

/** The sources of this installation by type. */
export interface SourceRegistry {
  /** The source that a reference belongs to. */
  of(reference: SourceReference): SeriesSource;
  readonly all: readonly SeriesSource[];
}

/** @param sources each typed by its own references, which only its own `type` leads to */
export function createSourceRegistry(sources: readonly { readonly type: SourceType }[]): SourceRegistry {
  const all = sources as readonly SeriesSource[];
  return {
    all,
    of({ type }) {
      const source = all.find((one) => one.type === type);
      if (source === undefined) throw new Fault('UNPROCESSABLE', `source.type: ${type} is not served here.`);
      return source;
    },
  };
}
