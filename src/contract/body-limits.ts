const KIB = 1024;

/** The limits of the JSON body of an operation. */
export interface BodyLimits {
  readonly bytes: number;
  /** Maximum number of fields and list items in the whole body, together. */
  readonly values: number;
  /** Maximum number of inline rows. Set only for an operation whose body can contain them. */
  readonly rows?: number;
}

/** Maximum number of fields of one object. Only a hostile body has more. */
export const MAX_OBJECT_FIELDS = 256;

/** Maximum number of fields and list items outside of inline rows. */
export const MAX_BODY_VALUES = 4_000;

/** The size limit of most bodies, including those that an operation ignores. */
const DEFAULT_BODY_BYTES = 16 * KIB;

/** An inline row is one list item with two fields. */
const VALUES_PER_ROW = 3;

/** Returns the limits of the body of an operation. */
export function bodyLimitsOf({ bodyLimit = {} }: { readonly bodyLimit?: Partial<BodyLimits> }): BodyLimits {
  const { bytes = DEFAULT_BODY_BYTES, rows } = bodyLimit;
  if (rows === undefined) return { bytes, values: MAX_BODY_VALUES };
  return { bytes, values: MAX_BODY_VALUES + VALUES_PER_ROW * rows, rows };
}

/**
 * Returns a size in the largest unit that divides it.
 *
 * @example formatBytes(16_384) // 16 KiB
 */
export function formatBytes(bytes: number): string {
  const units = ['GiB', 'MiB', 'KiB'];
  const place = units.findIndex((_, index) => bytes % KIB ** (units.length - index) === 0);
  return place < 0 ? `${bytes} bytes` : `${bytes / KIB ** (units.length - place)} ${units[place]}`;
}
