import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a published model reached on a data set. */
export interface PublishedScore {
  readonly source: string;
  readonly model: string;
  /** The data set, such as `monash_m1_yearly` or `gift:us_births/D/short`. */
  readonly key: string;
  readonly mase: number;
  readonly wql: number;
}

const NAME = 'published.csv';
const COLUMNS = 'source,model,dataset,mase,wql';

/** Reads `published.csv` in the folder of a file of series, or in its parent. Returns nothing if neither has one. */
export function readPublished(seriesFile: string): PublishedScore[] {
  const folder = path.dirname(path.resolve(seriesFile));
  const file = [folder, path.dirname(folder)].map((one) => path.join(one, NAME)).find(existsSync);
  return file === undefined ? [] : parsePublished(readFileSync(file, 'utf8'));
}

export function parsePublished(text: string): PublishedScore[] {
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/);
  if (head !== COLUMNS) throw new Error(`${NAME}: line 1 is '${head.slice(0, 80)}'. Write ${COLUMNS}.`);
  return lines.map((line, i) => {
    const [source, model, key, mase, wql, ...rest] = line.split(',');
    const scores = { mase: Number(mase || 'missing'), wql: Number(wql || 'missing') };
    if (!source || !model || !key || rest.length > 0 || Number.isNaN(scores.mase + scores.wql)) {
      throw new Error(`${NAME}: line ${i + 2} is '${line.slice(0, 80)}'. Write ${COLUMNS}, the last two as numbers.`);
    }
    return { source, model, key, ...scores };
  });
}

/** Returns the name of a model without case and punctuation, because sources write the same name differently. */
export function plainName(model: string): string {
  return model.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function isSeasonalNaive({ model }: PublishedScore): boolean {
  return plainName(model) === 'seasonalnaive';
}

/**
 * Returns the place of a score among the published ones; 1 is the best. Equal scores share a place. They are compared in
 * the six digits in which scores are published.
 */
export function rankOf(score: number, published: readonly number[]): number {
  const rounded = (value: number) => Number(value.toPrecision(6));
  return 1 + published.filter((one) => rounded(one) < rounded(score)).length;
}
