const LONGEST = 100;

/**
 * A file name of the given words that is safe on any system and in a header: letters, digits, dots and dashes.
 *
 * @example fileName(['^GSPC', '1D', 'split'], 'csv') // GSPC-1D-split.csv
 */
export function fileName(words: readonly string[], extension: string): string {
  const name = words
    .map((word) => word.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^[-.]+|[-.]+$/g, ''))
    .filter((word) => word !== '')
    .join('-');
  return `${(name || 'series').slice(0, LONGEST)}.${extension}`;
}
