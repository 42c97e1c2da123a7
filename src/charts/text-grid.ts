/** The dots of a Braille character by column and row, from its upper left one. */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const FIRST_BRAILLE = 0x2800;

/** The dots of a character, across and down. */
export const DOTS_ACROSS = 2;
export const DOTS_DOWN = 4;

/** A picture of characters. A line is drawn with the dots of Braille characters; shades and signs fill whole ones. */
export class TextGrid {
  readonly width: number;
  readonly height: number;
  readonly #signs: string[];
  readonly #dots: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#signs = new Array<string>(width * height).fill(' ');
    this.#dots = new Uint8Array(width * height);
  }

  /** Writes a sign into a character. Positions outside the picture are left out. */
  put(column: number, row: number, sign: string): void {
    if (this.#isInside(column, row)) this.#signs[row * this.width + column] = sign;
  }

  /** Draws a straight line between two places in dots. */
  drawLine(fromX: number, fromY: number, toX: number, toY: number): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY))));
    for (let i = 0; i <= steps; i++) {
      this.#drawDot(Math.round(fromX + ((toX - fromX) * i) / steps), Math.round(fromY + ((toY - fromY) * i) / steps));
    }
  }

  /** Returns the lines of the picture. @param isAscii whether every character with a part of a line is an asterisk */
  lines(isAscii: boolean): string[] {
    return Array.from({ length: this.height }, (_, row) =>
      Array.from({ length: this.width }, (_, column) => {
        const at = row * this.width + column;
        const dots = this.#dots[at] ?? 0;
        if (dots === 0) return this.#signs[at];
        return isAscii ? '*' : String.fromCharCode(FIRST_BRAILLE + dots);
      }).join(''),
    );
  }

  #drawDot(x: number, y: number): void {
    const [column, row] = [Math.floor(x / DOTS_ACROSS), Math.floor(y / DOTS_DOWN)];
    if (!this.#isInside(column, row)) return;
    const at = row * this.width + column;
    this.#dots[at] = (this.#dots[at] ?? 0) | (DOTS[x % DOTS_ACROSS]?.[y % DOTS_DOWN] ?? 0);
  }

  #isInside(column: number, row: number): boolean {
    return column >= 0 && column < this.width && row >= 0 && row < this.height;
  }
}
