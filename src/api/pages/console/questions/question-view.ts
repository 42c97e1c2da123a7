import { Fault, type Operations, type Output, type SourceReference } from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import { attempt } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';
import type { Visitor } from '../visitor.ts';

export type Question = Output<Operations['readEvent']>;
export type Revision = Output<Operations['listEventRevisions']>['revisions'][number];
export type Resolution = Output<Operations['readEventResolution']>;
export type HistoryEntry = Output<Operations['readEventHistory']>['entries'][number];
export type Allowed = Output<Operations['listEventActions']>;

/** A question, and what the visitor may do with it. */
export interface QuestionActions {
  readonly question: Question;
  readonly allowed: Allowed;
}

/** Everything that the page of a question shows. */
export interface QuestionView extends QuestionActions {
  /** Oldest first. */
  readonly revisions: readonly Revision[];
  /** Null while the question is open. */
  readonly resolution: Resolution | null;
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
  /** The forecast that the first probability comes from, if the visitor may see it. */
  readonly source: { readonly slug: string; readonly name: string } | null;
  /** The name of the file that its rule reads, if there is one and the visitor may read it. */
  readonly fileName: string | null;
  readonly now: Date;
}

/** Returns the path parameter by which the address of a page names a question: its slug or its id. */
export function nameOf({ params }: ConsoleVisit): { readonly forecast_id: string } {
  // The router also matches addresses such as /questions//revise.
  if (!params.slug) throw routeNotFound();
  return { forecast_id: params.slug };
}

/** Reads the question of a page, and what the visitor may do with it. */
export async function readActions(visit: ConsoleVisit): Promise<QuestionActions> {
  const params = nameOf(visit);
  const question = await visit.visitor.call('readEvent', { params });
  return { question, allowed: await visit.visitor.call('listEventActions', { params }) };
}

const PAGE = 100;

/** Reads everything that the page of a question shows. */
export async function readView(visit: ConsoleVisit): Promise<QuestionView> {
  const { visitor, now } = visit;
  const { question, allowed } = await readActions(visit);
  const params = { forecast_id: question.forecast_id };
  const resolution = question.status === 'pending' ? null : await visitor.call('readEventResolution', { params });
  const { entries } = await visitor.call('readEventHistory', { params, query: { limit: PAGE } });
  return {
    question,
    allowed,
    revisions: await readRevisions(visitor, params),
    resolution,
    history: entries,
    source: await readSource(visitor, question),
    fileName: await readFileName(visitor, question),
    now,
  };
}

async function readRevisions(visitor: Visitor, params: { readonly forecast_id: string }): Promise<Revision[]> {
  const all: Revision[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page: Output<Operations['listEventRevisions']> = await visitor.call('listEventRevisions', { params, query });
    all.push(...page.revisions);
    cursor = page.next_cursor;
  }
  return all.reverse();
}

/** Reads the name of the forecast behind a question. It may be deleted or not shared with the visitor. */
async function readSource(visitor: Visitor, { source_forecast: from }: Question): Promise<QuestionView['source']> {
  if (from === null) return null;
  const found = await attempt(() => visitor.call('readForecast', { params: { forecast_id: from.forecast_id } }));
  return 'slug' in found ? { slug: found.slug, name: found.name } : null;
}

/** Reads the name of the file that the rule of a question reads. It may be deleted or not shared with the visitor. */
async function readFileName(visitor: Visitor, { resolution_rule: rule }: Question): Promise<string | null> {
  const source = rule?.source as SourceReference | undefined;
  if (source?.type !== 'workspace_csv') return null;
  const { workspace_id, csv_id } = source;
  const found = await attempt(() => visitor.call('readCsvFile', { params: { workspace_id, csv_id } }));
  return found instanceof Fault ? null : found.name;
}
