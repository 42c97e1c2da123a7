/** Carries out one piece of work after the other, in the order in which they came. */
export class OneAfterTheOther {
  #last: Promise<void> = Promise.resolve();

  run(work: () => Promise<void>): void {
    this.#last = this.#last.then(work);
  }
}
