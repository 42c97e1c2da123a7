import { formatPackageFile, type PackageFile, readPackageJson } from '../../platform/index.ts';

/** An object in a JSON file that holds a list, with its position. */
export class JsonEntry {
  /** The file and the number of the entry, counted from 1. */
  readonly where: string;
  readonly #fields: object;

  constructor(where: string, fields: object) {
    this.where = where;
    this.#fields = fields;
  }

  /** Returns the value of a field; undefined if the entry does not have the field. */
  get(field: string): unknown {
    return Object.hasOwn(this.#fields, field) ? Reflect.get(this.#fields, field) : undefined;
  }

  number(field: string): number {
    const value = this.get(field);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new Error(`${this.where}: ${field} is ${JSON.stringify(value)}, not a finite number.`);
  }

  /** Returns a number; NaN for null, which marks a missing value in these files. */
  numberOrMissing(field: string): number {
    return this.get(field) === null ? Number.NaN : this.number(field);
  }

  text(field: string): string {
    const value = this.get(field);
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`${this.where}: ${field} is ${JSON.stringify(value)}, not a non-empty string.`);
  }
}

/** Returns the entries of a JSON file that holds a list of objects. */
export async function readJsonEntries(file: PackageFile): Promise<readonly JsonEntry[]> {
  const entries = await readPackageJson(file);
  if (!Array.isArray(entries)) throw new Error(`${formatPackageFile(file)} is not a list.`);
  return entries.map((entry: unknown, index) => {
    const where = `${formatPackageFile(file)}, entry ${index + 1}`;
    if (typeof entry !== 'object' || entry === null) throw new Error(`${where}: not an object.`);
    return new JsonEntry(where, entry);
  });
}
