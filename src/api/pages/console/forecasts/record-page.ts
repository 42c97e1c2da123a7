import { Fault } from '../../../../contract/index.ts';
import { errorSummary, type FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleVisit } from '../visit.ts';
import type { Record } from './describe-record.ts';
import { checkField, choiceFields, inputField, selectField } from './fields.ts';
import { toErrors } from './filter-errors.ts';
import { addressOf, FORECASTS_PATH, type Given, RECORD_PARAMETERS, readGiven } from './list-address.ts';
import { type Choices, readChoices } from './read-list.ts';
import { renderRecord } from './render-record.ts';

const LABELS = {
  source: 'Source',
  model: 'Model',
  workspace_id: 'Workspace',
  horizon: 'Horizon',
  from: 'Made from',
  to: 'Made before',
  stamped: 'Only stamped in time',
  mine: 'Forecasts of',
};

/** Reads and renders the track record that an address asks for. */
export async function showRecord({
  visitor,
  query,
}: ConsoleVisit): Promise<{ readonly status: number; readonly body: Html }> {
  // The page is about the visitor's own forecasts unless the address asks for those of others.
  const given = { mine: 'true', ...readGiven(query, RECORD_PARAMETERS) };
  const choices = await readChoices(visitor);
  const criteria = { ...given, ...readDates(given) };
  let [status, errors, record]: [number, FieldErrors, Record | null] = [200, {}, null];
  try {
    record = await visitor.call('readTrackRecord', { query: criteria });
  } catch (error) {
    errors = toErrors(error, LABELS);
    status = error instanceof Fault ? error.status : 400;
  }
  const names = new Map(choices.models.map(({ id, name }) => [id, name]));
  return {
    status,
    body: html`<div id="errors">${errorSummary(errors)}</div>
${renderFilters(given, errors, choices)}
<p class="away" role="status" id="announcement"></p>
<section id="results" class="record-results" aria-label="Track record">${
      record !== null &&
      (record.forecasts === 0 ? renderNone(given) : renderRecord(record, csvAddress(criteria), names))
    }</section>`,
  };
}

/** Fields for dates send days; the operation reads instants. Any other text is sent as it is, and refused there. */
function readDates(given: Given): Given {
  const dates = ['from', 'to'].map((name) => [name, given[name]] as const);
  return Object.fromEntries(
    dates
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, /^\d{4}-\d\d-\d\d$/.test(String(value)) ? `${value}T00:00:00Z` : value]),
  );
}

function csvAddress(criteria: Given): string {
  const params = new URLSearchParams({ format: 'csv' });
  for (const [name, value] of Object.entries(criteria)) params.append(name, String(value));
  return `/api/v1/forecast/track-record?${params}`;
}

const WHOSE = [
  ['true', 'Mine'],
  ['false', 'All that I may read'],
] as const;

function renderFilters(given: Given, errors: FieldErrors, choices: Choices): Html {
  const filters = { given, errors };
  return html`<form id="filters" class="card filters record" method="get" action="${FORECASTS_PATH}" aria-label="Filters of the track record">
<input type="hidden" name="view" value="record">
<div class="fields">
${selectField(filters, 'mine', 'Forecasts of', WHOSE, null)}
${choiceFields(filters, choices, 'Any workspace')}
${inputField(filters, 'horizon', 'Horizon', { type: 'number', placeholder: 'Any' })}
${inputField(filters, 'from', 'Made from', { type: 'date' })}
${inputField(filters, 'to', 'Made before', { type: 'date' })}
</div>
<div class="filters-end">
${checkField(filters, 'stamped', 'Only forecasts that were stamped before their outcome')}
<p class="actions"><button class="quiet apply">Apply</button><a class="tap" id="reset" href="${addressOf({ view: 'record' })}"${
    !isFiltered(given) && html` hidden`
  }>Reset filters</a></p>
</div>
</form>`;
}

function isFiltered({ mine, ...others }: Given): boolean {
  return mine !== 'true' || Object.keys(others).length > 0;
}

function renderNone(given: Given): Html {
  if (isFiltered(given)) {
    return renderEmpty({
      title: 'No scored forecast matches',
      text: 'Only forecasts whose outcome is complete are counted. Remove a filter or choose a longer period.',
      steps: [{ href: addressOf({ view: 'record' }), label: 'Show my whole track record' }],
    });
  }
  return renderEmpty({
    title: 'No score yet',
    text: 'The first score comes when the last predicted period of one of your forecasts is over and its values are known: the day after for a forecast of one day, a month later for one of 30 days. Almanac then reads the values from the source and compares them; there is nothing to do. Outcomes of rows that you sent, and of workspace files, are scored when you send the actual values.',
    steps: [
      { href: '/new', label: 'Make a forecast' },
      { href: FORECASTS_PATH, label: 'See my forecasts' },
    ],
  });
}
