const BATCH_SIZE = 200;

/** Yields the rows of a long list in the order of their ids, and reads only some of them at a time. */
export async function* listInBatches<Row extends { readonly id: string }>(
  read: (after: string, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let after = '';
  for (let isFull = true; isFull; ) {
    const rows = await read(after, BATCH_SIZE);
    yield* rows;
    isFull = rows.length === BATCH_SIZE;
    after = rows.at(-1)?.id ?? after;
  }
}
