import { isPlainInteger, type NumberFormat, parseNumberIn } from '../cells/numbers.ts';
import { type Place, place, type Reading, type UnfitPlace } from './reading.ts';

/**
 * Finds the one format in which every cell of a column is a number. Where both formats fit every cell and some cell is
 * another number in each (1,234), the column is read in neither.
 */
export class NumberReading {
  #point = true;
  #comma = true;
  #differs: Place | null = null;
  #unfit: UnfitPlace | null = null;
  #isFirst = true;

  get isPossible(): boolean {
    return this.#point || this.#comma;
  }

  add(cell: string, line: number): void {
    if (this.isPossible && !isPlainInteger(cell)) this.#judge(cell, line);
    this.#isFirst = false;
  }

  #judge(cell: string, line: number): void {
    const point = this.#point ? parseNumberIn(cell, 'decimal_point') : null;
    const comma = this.#comma ? parseNumberIn(cell, 'decimal_comma') : null;
    this.#point = point !== null;
    this.#comma = comma !== null;
    if (!this.isPossible) this.#unfit = { ...place(cell, line), isFirst: this.#isFirst };
    else if (point !== null && comma !== null && point !== comma) this.#differs ??= place(cell, line);
  }

  result(): Reading<NumberFormat> {
    if (this.#unfit !== null) return { kind: 'none', ...this.#unfit };
    if (this.#point && this.#comma && this.#differs !== null) return { kind: 'ambiguous', ...this.#differs };
    return { kind: 'read', format: this.#point ? 'decimal_point' : 'decimal_comma' };
  }
}
