import type { Toto } from '../../engine/index.ts';

/** A forecast and the one that reproduces an older one may take turns with two checkpoints; nobody needs more at once. */
const MAX_KEPT = 2;

/** The models that were used last, by checkpoint: loading one takes longer than a forecast. */
export class KeptModels {
  readonly #load: (checkpoint: string) => Promise<Toto>;
  readonly #kept = new Map<string, Promise<Toto>>();

  constructor(load: (checkpoint: string) => Promise<Toto>) {
    this.#load = load;
  }

  get(checkpoint: string): Promise<Toto> {
    const model = this.#kept.get(checkpoint) ?? this.#load(checkpoint);
    // The map's order is that of the last use.
    this.#kept.delete(checkpoint);
    this.#kept.set(checkpoint, model);
    // One that could not be loaded may be there the next time.
    model.catch(() => this.#kept.get(checkpoint) === model && this.#kept.delete(checkpoint));
    for (const oldest of [...this.#kept.keys()].slice(0, -MAX_KEPT)) this.#kept.delete(oldest);
    return model;
  }
}
