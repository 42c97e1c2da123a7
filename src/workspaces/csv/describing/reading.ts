/** A cell that settles something, and the line it is on. */
export interface Place {
  readonly line: number;
  /** Its beginning. */
  readonly cell: string;
}

/** A cell that does not fit, and whether it is the first of its column: otherwise those above it did. */
export interface UnfitPlace extends Place {
  readonly isFirst?: boolean;
}

const LONGEST = 60;

/** It is kept and shown: of a long cell the beginning is enough. */
export function place(cell: string, line: number): Place {
  return { line, cell: cell.slice(0, LONGEST).toWellFormed() };
}

/** In which format the cells of a column can be read, or where they cannot. */
export type Reading<Format extends string> =
  | { readonly kind: 'read'; readonly format: Format }
  /** More than one format fits every cell, with different results; this is the first cell that differs. */
  | ({ readonly kind: 'ambiguous' } & Place)
  /** No format fits every cell; up to this one some did. */
  | ({ readonly kind: 'none' } & UnfitPlace);
