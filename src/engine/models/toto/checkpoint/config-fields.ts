import { CheckpointError } from './checkpoint-error.ts';
import type { JsonObject } from './parse-json-object.ts';

/** Reads the fields of a configuration. A field that is null counts as missing: so does the original. */
export class ConfigFields {
  readonly #fields: JsonObject;

  constructor(fields: JsonObject) {
    this.#fields = fields;
  }

  /** A whole number from `least` to `most`. Without a fallback the field must be there. */
  whole(name: string, least: number, most: number, fallback?: number): number {
    const value = this.#read(name) ?? fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw this.#fault(name, `a whole number from ${least} to ${most}`);
  }

  /** A number above 0 and up to `most`. */
  positive(name: string, most: number, fallback: number): number {
    const value = this.#read(name) ?? fallback;
    if (typeof value === 'number' && value > 0 && value <= most) return value;
    throw this.#fault(name, `a number above 0 and up to ${most}`);
  }

  flag(name: string, fallback?: boolean): boolean {
    const value = this.#read(name) ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.#fault(name, 'true or false');
  }

  #read(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #fault(name: string, wanted: string): CheckpointError {
    const verb = (this.#read(name) ?? null) === null ? 'is missing' : 'is wrong';
    return new CheckpointError('CONFIG_INVALID', `The field ${name} of config.json ${verb}: it must be ${wanted}.`);
  }
}
