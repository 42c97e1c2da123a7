/** Grows like an array, at four bytes a number. */
export class NumberList {
  #numbers = new Uint32Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Uint32Array(this.length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.length++] = number;
  }

  at(position: number): number {
    return this.#numbers[position] ?? 0;
  }

  set(position: number, number: number): void {
    this.#numbers[position] = number;
  }
}
