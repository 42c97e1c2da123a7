import { type PackageFile, readPackageJson, sayPackageFile } from '../../platform/index.ts';

/** An object of a list in a JSON file, and where it stands. */
export class JsonEntry {
  /** File and number of the entry, from 1. */
  readonly where: string;
  readonly #fields: object;

  constructor(where: string, fields: object) {
    this.where = where;
    this.#fields = fields;
  }

  /** What a field holds; undefined where there is none. */
  get(field: string): unknown {
    return Object.hasOwn(this.#fields, field) ? Reflect.get(this.#fields, field) : undefined;
  }

  number(field: string): number {
    const value = this.get(field);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new Error(`${this.where}: ${field} is ${JSON.stringify(value)}, not a finite number.`);
  }

  /** NaN for null, which is how a file says that it has no value. */
  numberOrMissing(field: string): number {
    return this.get(field) === null ? Number.NaN : this.number(field);
  }

  text(field: string): string {
    const value = this.get(field);
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`${this.where}: ${field} is ${JSON.stringify(value)}, not a text.`);
  }
}

/** The entries of a JSON file that is a list of objects. */
export async function readJsonEntries(file: PackageFile): Promise<readonly JsonEntry[]> {
  const entries = await readPackageJson(file);
  if (!Array.isArray(entries)) throw new Error(`${sayPackageFile(file)} is not a list.`);
  return entries.map((entry: unknown, index) => {
    const where = `${sayPackageFile(file)}, entry ${index + 1}`;
    if (typeof entry !== 'object' || entry === null) throw new Error(`${where}: not an object.`);
    return new JsonEntry(where, entry);
  });
}
