import type { Random } from '../platform/seeded-random.ts';

/**
 * The points at which a process can be killed. A kill before a step prevents it; a kill after a step leaves its effect,
 * but the process does not learn of it.
 */
export const KILL_POINTS = [
  'before statement',
  'after statement',
  'before commit',
  'after commit',
  'before call',
  'after call',
  'before send',
  'after send',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** The error that everything fails with in a process that was killed. */
export class Killed extends Error {}

/**
 * A process that is killed when it has reached a point a number of times. From then on, nothing that it does has any
 * effect: its open transactions roll back, and its calls do not arrive.
 */
export class MortalProcess {
  readonly point: KillPoint | null;
  #left: number;
  #isDead = false;

  /** @param point null for a process that is not killed */
  constructor(point: KillPoint | null, times = 0) {
    this.point = point;
    this.#left = times;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Throws if the process is dead, or is killed here. */
  reach(point: KillPoint): void {
    if (!this.#isDead && point === this.point) {
      this.#left -= 1;
      this.#isDead = this.#left <= 0;
    }
    if (this.#isDead) throw new Killed(`killed ${this.point}`);
  }
}

/** How often processes are killed at a point, and the number of times that they reach it before, at most. */
const PLANS: Readonly<Record<KillPoint, { readonly weight: number; readonly maxTimes: number }>> = {
  'before statement': { weight: 2, maxTimes: 20 },
  'after statement': { weight: 2, maxTimes: 20 },
  'before commit': { weight: 2, maxTimes: 4 },
  'after commit': { weight: 2, maxTimes: 4 },
  'before call': { weight: 2, maxTimes: 25 },
  'after call': { weight: 2, maxTimes: 25 },
  // Seldom reached, but the most dangerous.
  'before send': { weight: 4, maxTimes: 2 },
  'after send': { weight: 4, maxTimes: 2 },
};

/** Creates a process that is killed at a random point. */
export function createMortalProcess(random: Random): MortalProcess {
  const point = chooseByWeight(random, KILL_POINTS, (each) => PLANS[each].weight);
  return new MortalProcess(point, 1 + Math.floor(random() * PLANS[point].maxTimes));
}

/** Returns one of the choices, each with a probability in proportion to its weight, an integer. */
export function chooseByWeight<Choice>(
  random: Random,
  choices: readonly [Choice, ...Choice[]],
  weightOf: (choice: Choice) => number,
): Choice {
  const tickets = choices.flatMap((choice) => Array.from({ length: weightOf(choice) }, () => choice));
  return tickets[Math.floor(random() * tickets.length)] ?? choices[0];
}
