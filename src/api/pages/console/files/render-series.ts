import { isFrequency } from '../../../../calendar/index.ts';
import { describeSeriesChart, drawSeriesChart } from '../../../../charts/index.ts';
import { renderFacts } from '../../facts.ts';
import { formatDay, formatInteger, periodFormat } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { type Option, renderSelect } from '../fields.ts';
import { renderHint } from '../hints.ts';
import type { ConsoleVisit } from '../visit.ts';
import { type CsvFile, type CsvSeries, canWrite, filePath, forecastAddress } from './file-visit.ts';
import type { FileView } from './read-file.ts';
import { renderCells } from './render-rows.ts';
import { describeFault } from './render-upload.ts';
import { describeDating, nameFrequency } from './words.ts';

/** Renders the choice of the two columns, and their series or what is wrong with it. */
export function renderSeries(visit: ConsoleVisit, view: FileView): Html {
  const { series, fault } = view;
  return html`<section class="card stack" id="series" aria-labelledby="series-title">
<div class="card-head"><h2 id="series-title">The series</h2>${
    series !== null &&
    html`<a class="button" href="${forecastAddress(view.workspace, view.file.id, series)}">Forecast this</a>`
  }</div>
${series !== null && renderHint(visit, 'file-preview', 'Check that the line looks like your data. Then press “Forecast this”, and “Forecast” on the next page.')}
${renderChoice(view)}
${series !== null ? renderChart(series) : fault !== null ? renderMistake(view, fault.message) : renderMissing(view)}
</section>`;
}

/** Renders the fields that choose the columns. */
function renderChoice({ file, workspace, fields }: FileView): Html {
  const { time_field: time, value_field: value } = fields;
  return html`<form class="toolbar choose" method="get" action="${filePath(workspace, file.id)}" data-choose>
${renderSelect({ name: 'time_field', label: 'Time', options: optionsOf(file, 'timestamp', time), value: time }, {})}
${renderSelect({ name: 'value_field', label: 'Value', options: optionsOf(file, 'number', value), value }, {})}
<button class="quiet">Show</button>
</form>`;
}

/** Returns the columns of a type first. Others can be chosen as well: the page then states what prevents it. */
function optionsOf({ columns }: CsvFile, type: 'timestamp' | 'number', chosen: string | undefined): Option[] {
  const fitting = columns.filter((column) => column.type === type);
  const others = columns.filter((column) => column.type !== type && column.type !== 'empty');
  const options = [
    ...fitting.map(({ name }) => ({ value: name, label: name })),
    ...others.map(({ name }) => ({
      value: name,
      label: `${name} (${type === 'number' ? 'not numbers' : 'not times'})`,
    })),
  ];
  return chosen === undefined ? [{ value: '', label: 'Choose…' }, ...options] : options;
}

function renderChart(series: CsvSeries): Html {
  const { value_field: value, frequency, dated_by: datedBy, count, span, rows } = series;
  const chart = {
    title: value,
    units: '',
    timestamps: rows.map(({ timestamp }) => Date.parse(timestamp)),
    values: rows.map((row) => row.value),
    log: false,
  };
  const format = isFrequency(frequency) ? periodFormat(frequency) : formatDay;
  const draw = (width: number, height: number, id: string) =>
    new Html(drawSeriesChart(chart, { width, height, id, standalone: false }));
  return html`<figure class="series-chart" aria-describedby="chart-words">
<div class="chart"><div class="desk">${draw(1060, 320, 'wide')}</div><div class="phone">${draw(320, 260, 'narrow')}</div></div>
<figcaption id="chart-words">${describeSeriesChart(chart, (time) => format(new Date(time)))}</figcaption>
</figure>
${renderFacts('facts small', [
  ['Rows are', nameFrequency(frequency)],
  ['Rows with a value', formatInteger(count)],
  ['From', format(new Date(span.start))],
  ['To', format(new Date(span.end))],
])}
${datedBy !== null && html`<p class="hint">${describeDating(datedBy)}</p>`}`;
}

/** Renders why the columns are not a series, with the line that the message names. */
function renderMistake({ file, line, around, fields, workspace }: FileView, message: string): Html {
  const columns = [fields.time_field, fields.value_field];
  return html`<div class="state-panel problem" role="alert">
<h3>These columns are not a series yet</h3>
<p>${describeFault(message)}</p>
${around !== null && renderCells(around, { marked: line, columns, caption: 'The rows around it' })}
<p class="soft">Choose other columns above${
    canWrite(workspace) && html`, or correct the file and <a href="#again">upload it again</a>`
  }.</p>
${file.columns
  .filter(({ name, note }) => note !== null && columns.includes(name))
  .filter(({ note }) => !message.includes(note ?? ''))
  .map(({ note }) => html`<p class="soft">${note}</p>`)}
</div>`;
}

function renderMissing({ file, fields, workspace, around, line }: FileView): Html {
  const missing = fields.time_field === undefined ? 'times, such as 2024-01-31 or 31.01.2024' : 'numbers';
  const notes = file.columns.flatMap(({ name, note }) => (note === null ? [] : [{ name, note }]));
  return html`<div class="state-panel problem">
<h3>No column was read as ${missing}</h3>
${notes.map(({ name, note }) => html`<p><strong>${name}</strong>: ${describeFault(note)}</p>`)}
${around !== null && renderCells(around, { marked: line, columns: notes.map(({ name }) => name), caption: 'The rows around it' })}
<p>The table below shows how each column was read. ${
    canWrite(workspace)
      ? html`If a choice is missing, such as the order of dates, <a href="#again">read the file in another way</a>.`
      : 'Ask the owner of the workspace to upload it again.'
  }</p>
</div>`;
}
