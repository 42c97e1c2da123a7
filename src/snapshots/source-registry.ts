import { ALL_LICENSES, type Licenses, licenseDenied } from '../access/index.ts';
import type { SourceReference, SourceType } from '../contract/index.ts';
import { sourceTypeUnavailable } from './faults.ts';
import type { SeriesSource } from './series-source.ts';

/** The sources of this installation by type. */
export interface SourceRegistry {
  /** Returns the source that a reference belongs to. */
  of(reference: SourceReference): SeriesSource;
  readonly all: readonly SeriesSource[];
}

/**
 * @param sources each accepts only references of its own `type`
 * @param licenses under which rows may be read; lists and descriptions are never restricted
 */
export function createSourceRegistry(
  sources: readonly { readonly type: SourceType }[],
  licenses: Licenses = ALL_LICENSES,
): SourceRegistry {
  const all = (sources as readonly SeriesSource[]).map((source) => withLicenseCheck(source, licenses));
  return {
    all,
    of({ type }) {
      const source = all.find((candidate) => candidate.type === type);
      if (source === undefined) throw sourceTypeUnavailable(type);
      return source;
    },
  };
}

/** The check is here and not in each source: a source without it would return rows under a denied license. */
function withLicenseCheck(source: SeriesSource, licenses: Licenses): SeriesSource {
  if (licenses.allowsAll) return source;
  return {
    ...source,
    async read(reference, window) {
      const rows = await source.read(reference, window);
      requireAllowedLicense(licenses, rows.about);
      return rows;
    },
  };
}

type About = Readonly<Record<string, unknown>>;

/** Returns the license that rows name; null: they name none, like the rows of a request. */
function readLicenseName({ license }: About): string | null {
  const name = (license as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

/** Refuses rows under a denied license. Inline rows and files name no license and are never refused. */
export function requireAllowedLicense(licenses: Licenses, about: About): void {
  const name = readLicenseName(about);
  if (name !== null && !licenses.allows(name)) throw licenseDenied('source: the series', name);
}
