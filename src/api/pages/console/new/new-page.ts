import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson, Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { wordHorizon } from '../../../../wording/index.ts';
import { readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import { type ConsolePage, dataBlock } from '../document.ts';
import { describeFile, isAboutColumns } from '../files/file-source.ts';
import { renderHint } from '../hints.ts';
import { attempt } from '../refusals.ts';
import { fileAddress, isFileSource } from '../source-address.ts';
import { renderNote } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import type { Visitor } from '../visitor.ts';
import { type Models, withoutDefaultModels } from './advanced.ts';
import { type Choices, newAddress, readChoices, toRequest } from './choices.ts';
import { chooseSeries } from './choose-series.ts';
import { explainRefusal, readCost, renderCost } from './cost.ts';
import { horizonOf, renderForm } from './form.ts';
import { choosePlace } from './place.ts';
import type { FormWords } from './refusals.ts';
import { usualValue } from './series-fields.ts';
import { suggestTitle } from './suggest-title.ts';

type KnownChoices = Choices & { readonly source: object };

/** The form of a new forecast: GET shows what it would cost, POST creates it. */
export const newPage: ConsoleRoute = {
  path: '/new',
  async get(visit) {
    const choices = readChoices(visit.query);
    if (!hasSource(choices)) {
      const isNamed = readField(visit.query, 'source') !== undefined;
      return chooseSeries(
        isNamed ? renderNote('warning', 'This address names no series that can be read. Search for one.') : undefined,
      );
    }
    visit.visitor.lookAsGuest();
    if (visit.query.part === 'cost') return showCost(visit, choices);
    return showForm(visit, choices);
  },
  async post(visit) {
    const choices = readChoices((visit.form ?? {}) as Record<string, unknown>);
    if (!hasSource(choices))
      return {
        ...chooseSeries(renderNote('warning', 'The form names no series. Search for one.')),
        status: 400,
        failed: true,
      };
    await visit.visitor.becomeGuest();
    const asked = await askForModels(visit.visitor, choices);
    const body = toRequest(await nameBySeries(visit.visitor, asked));
    const key = readField(visit.form, 'key') ?? '';
    if (!FORM_KEY.test(key)) return showForm(visit, choices, { errors: { '': STALE_FORM }, status: 400 });
    const created = await attempt(() =>
      visit.visitor.call('createForecast', { body, idempotencyKey: keyOf(key, body) }),
    );
    if (!(created instanceof Fault)) return new SeeOther(`/forecasts/${created.slug}`);
    return showForm(visit, choices, { fault: created, status: created.status });
  },
};

const FORM_KEY = /^[\w-]{8,64}$/;
const STALE_FORM = 'The form was not complete. Check it and press “Forecast” again.';

function hasSource(choices: Choices): choices is KnownChoices {
  return choices.source !== null;
}

/**
 * Returns the idempotency key of a submitted form. It depends on the choices, so that a form that was changed and
 * submitted again after going back creates another forecast, and an unchanged one leads to the same.
 */
function keyOf(formKey: string, body: object): string {
  return `new-${createHash('sha256').update(canonicalJson({ formKey, body })).digest('hex')}`;
}

/** Returns the choices with the title that was suggested, which depends on the series as it is chosen now. */
async function nameBySeries(visitor: Visitor, choices: KnownChoices): Promise<Choices> {
  const { source, fields } = choices;
  if (!choices.hasSuggestedTitle) return choices;
  // If the series is refused, the operation refuses it as well, and the form shows why.
  const title = await readSuggestion(visitor, source);
  return { ...choices, fields: { ...fields, title: title ?? '' } };
}

const HINT =
  'You can press “Forecast” now: everything is filled in. Only the horizon matters at first, and “Advanced” can stay closed.';

interface Refused {
  readonly fault?: Fault;
  readonly errors?: Readonly<Record<string, string>>;
  readonly status?: number;
}

async function showForm(visit: ConsoleVisit, sent: KnownChoices, refused?: Refused): Promise<ConsolePage | SeeOther> {
  const { visitor } = visit;
  const found = await describeSource(visitor, sent.source);
  if (found instanceof SeeOther) return found;
  const { described } = found;
  const isAccount = visitor.principal.kind === 'account';
  const { workspaces } = isAccount ? await visitor.call('listWorkspaces') : { workspaces: [] };
  const choices = choosePlace(sent, workspaces);
  const models = await readModels(visitor, choices);
  const horizon = choices.fields.horizon ?? String(horizonOf(described, models).usual);
  const suggestedTitle = suggestTitle(described, choices.source);
  const complete = {
    ...withoutDefaultModels(choices, models),
    source: chooseValue(choices.source, described),
    fields: { ...choices.fields, horizon, title: choices.fields.title ?? suggestedTitle },
  };
  const readWords = async () => wordsOf(described, models);
  const cost =
    refused?.fault === undefined
      ? await readCost(visitor, complete, readWords)
      : await explainRefusal(visitor, refused.fault, readWords);
  const errors = { ...cost.errors, ...refused?.errors };
  return {
    title: `Forecast ${described.title}`,
    section: 'new',
    script: 'new',
    ...(refused && { status: refused.status ?? 400, failed: true }),
    body: renderForm({
      visitor,
      choices: complete,
      described,
      preview: found.preview ?? (await readPreview(visitor, complete.source)),
      models,
      workspaces,
      cost: { ...cost, errors },
      suggestedTitle,
      key: randomUUID(),
      address: newAddress(choices),
      isSubmitted: refused !== undefined,
      hint: refused === undefined ? renderHint(visit, 'new', HINT) : null,
    }),
  };
}

interface FoundSeries {
  readonly described: Output<Operations['describeSeries']>;
  /** The last values, if they came with the description. */
  readonly preview?: readonly number[];
}

/** Describes a series. If the columns of a file are not one, the page of the file shows the line with the mistake. */
async function describeSource(visitor: Visitor, source: object): Promise<FoundSeries | SeeOther> {
  if (!isFileSource(source)) return { described: await visitor.call('describeSeries', { body: { source } }) };
  try {
    return await describeFile(visitor, source);
  } catch (error) {
    const isNamed = [source.workspace_id, source.csv_id].every((id) => typeof id === 'string');
    if (isNamed && isAboutColumns(error)) return new SeeOther(fileAddress(source));
    throw error;
  }
}

/** The same, or null if the series is refused. */
async function findDescription(visitor: Visitor, source: object): Promise<FoundSeries['described'] | null> {
  const found = await attempt(() => describeSource(visitor, source));
  return found instanceof Fault || found instanceof SeeOther ? null : found.described;
}

/** Returns what the words of a refusal depend on. */
function wordsOf(described: Parameters<typeof horizonOf>[0], models: Models): FormWords {
  return {
    models: new Map(models.models.filter(({ available }) => available).map(({ id, name }) => [id, name])),
    maxHorizon: horizonOf(described, models).max,
  };
}

/** Reads the models with the limits of the plan that pays for the forecast. */
async function readModels(visitor: Visitor, { fields }: Choices): Promise<Models> {
  const workspace = visitor.principal.kind === 'account' ? fields.workspace_id : undefined;
  return visitor.call('listModels', { query: workspace ? { workspace_id: workspace } : {} });
}

/** Returns the choices as they are asked for: without models if those of the default ensemble are chosen. */
async function askForModels(visitor: Visitor, choices: KnownChoices): Promise<KnownChoices> {
  return choices.models.length === 0 ? choices : withoutDefaultModels(choices, await readModels(visitor, choices));
}

/** Chooses the value that the form shows as chosen, because a series with several has no value of its own. */
function chooseValue(source: object, described: Parameters<typeof usualValue>[0]): object {
  const usual = usualValue(described);
  return 'value_field' in source || described.values.length < 2 || usual === undefined
    ? source
    : { ...source, value_field: usual };
}

/** Returns the last values of a series; none if none are stored. A page without its small picture is still of use. */
async function readPreview(visitor: Visitor, source: object): Promise<readonly number[]> {
  const result = await attempt(() => visitor.call('previewSeries', { body: { sources: [source] } }));
  return result instanceof Fault ? [] : (result.previews[0]?.values ?? []);
}

/** Shows the cost alone, for the script of the form, which replaces the element when a choice changes. */
async function showCost({ visitor, query }: ConsoleVisit, choices: KnownChoices): Promise<ConsolePage> {
  const readWords = async () => {
    const { source } = choices;
    // A refused choice of the series has no description.
    const described = await findDescription(visitor, source);
    return described === null ? undefined : wordsOf(described, await readModels(visitor, choices));
  };
  const cost = await readCost(visitor, await askForModels(visitor, choices), readWords);
  // Only dimensions change the suggestion, and the form sends a title that differs from it.
  const hasDimensions = 'dimensions' in choices.source && choices.fields.title === undefined;
  const { format } = wordHorizon(cost.estimate?.frequency ?? '', readField(query, 'period') ?? null, 365);
  const address = newAddress(choices);
  return {
    title: 'Cost of a forecast',
    section: 'new',
    body: html`<div class="card stack">
<h1>Cost of a forecast</h1>
${renderCost(cost, { visitor, address, formatPeriods: format })}
<p><a class="button quiet" href="${address}">Open the form</a></p>
</div>
${dataBlock('refusals', cost.errors)}
${hasDimensions && dataBlock('suggested', await readSuggestion(visitor, choices.source))}`,
  };
}

/** Reads the title that the form suggests for a series; null if the series is refused. */
async function readSuggestion(visitor: Visitor, source: object): Promise<string | null> {
  const described = await findDescription(visitor, source);
  return described === null ? null : suggestTitle(described, source);
}
