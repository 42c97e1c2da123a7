/** Writes the `d` attribute of paths in tenths of a pixel. Later points are relative, which takes half the bytes. */
export class PathWriter {
  #text = '';
  #x = 0;
  #y = 0;
  #isLine = false;

  moveTo(x: number, y: number): this {
    this.#x = Math.round(x * 10);
    this.#y = Math.round(y * 10);
    this.#text += `M${formatTenths(this.#x)}${separated(formatTenths(this.#y))}`;
    this.#isLine = false;
    return this;
  }

  lineTo(x: number, y: number): this {
    const [nextX, nextY] = [Math.round(x * 10), Math.round(y * 10)];
    const [dx, dy] = [nextX - this.#x, nextY - this.#y];
    if (dx === 0 && dy === 0) return this;
    const first = formatTenths(dx);
    this.#text += `${this.#isLine ? separated(first) : `l${first}`}${separated(formatTenths(dy))}`;
    [this.#x, this.#y, this.#isLine] = [nextX, nextY, true];
    return this;
  }

  /** Draws a point, as a line so short that only its round ends are seen. */
  dot(x: number, y: number): this {
    this.moveTo(x, y);
    this.#text += 'h.01';
    return this;
  }

  close(): this {
    this.#text += 'z';
    this.#isLine = false;
    return this;
  }

  toString(): string {
    return this.#text;
  }
}

/** Formats a length in pixels with at most one decimal. */
export function px(length: number): string {
  return formatTenths(Math.round(length * 10));
}

function formatTenths(tenths: number): string {
  const size = Math.abs(tenths);
  const whole = Math.floor(size / 10);
  const decimal = size % 10;
  const digits = decimal === 0 ? String(whole) : `${whole === 0 ? '' : whole}.${decimal}`;
  return tenths < 0 ? `-${digits}` : digits;
}

function separated(number: string): string {
  return number.startsWith('-') ? number : ` ${number}`;
}
