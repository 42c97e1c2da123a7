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
 * @param sources sources that each accept only references of their own `type`
 * @param licenses decides under which licenses rows may be read; lists and descriptions are not restricted
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

/**
 * Adds the license check to a source. It is here and not in each source, because a source without it would return rows
 * under a denied license.
 */
function withLicenseCheck(source: SeriesSource, licenses: Licenses): SeriesSource {
  if (licenses.allowsAll) return source;
  return {
    ...source,
    async read(reference, window) {
      const rows = await source.read(reference, window);
      requireAllowedLicense(licenses, rows.about);
      return rows;
    },
    ...(source.readDaysBefore && {
      async readDaysBefore(reference, window) {
        const rows = await (source.readDaysBefore as NonNullable<typeof source.readDaysBefore>)(reference, window);
        requireAllowedLicense(licenses, rows.about);
        return rows;
      },
    }),
  };
}

type About = Readonly<Record<string, unknown>>;

/** Returns the license name of rows; null if the rows have no license, such as inline rows. */
function readLicenseName({ license }: About): string | null {
  const name = (license as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

/** Refuses rows under a denied license. Inline rows and files have no license and are not refused. */
export function requireAllowedLicense(licenses: Licenses, about: About): void {
  const name = readLicenseName(about);
  if (name !== null && !licenses.allows(name)) throw licenseDenied('source: the series', name);
}
