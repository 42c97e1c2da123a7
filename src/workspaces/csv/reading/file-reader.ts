import { type ColumnDescription, ColumnProfile } from '../describing/column-profile.ts';
import { describeColumns } from '../describing/describe-columns.ts';
import { type RowChunk, RowJoiner } from '../row-text.ts';
import { type CsvOutline, CsvReader, type DeclaredCsv } from './csv-reader.ts';
import { countBody } from './footer.ts';

/** What reading the next bytes of a file, or its end, has produced. */
export interface ReadPart {
  /** The rows to store. */
  readonly chunks: readonly RowChunk[];
  /** Null before the end of the file. */
  readonly file: DescribedCsv | null;
}

/** The properties and columns of a file that was read. */
export interface DescribedCsv extends CsvOutline {
  readonly columns: readonly ColumnDescription[];
}

/** Reads a file, describes its columns and joins its rows to chunks. It uses no database and runs in any thread. */
export class FileReader {
  readonly #reader: CsvReader;
  readonly #joiner = new RowJoiner();
  #profiles: ColumnProfile[] | null = null;

  constructor(declared: DeclaredCsv) {
    const profiles = () => {
      this.#profiles ??= this.#reader.names.map((name) => new ColumnProfile(name, declared.dates));
      return this.#profiles;
    };
    this.#reader = new CsvReader(
      declared,
      (cells, line) => {
        const columns = profiles();
        for (let column = 0; column < cells.length; column++) columns[column]?.add(cells[column] as string, line);
        this.#joiner.add(cells, line);
      },
      (last) => countBody(profiles(), last),
    );
  }

  push(bytes: Uint8Array): ReadPart {
    this.#reader.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { chunks: this.#joiner.takeFull(), file: null };
  }

  end(): ReadPart {
    const outline = this.#reader.end();
    const chunks = this.#joiner.takeRest();
    return { chunks, file: { ...outline, columns: describeColumns(this.#profiles ?? []) } };
  }
}
