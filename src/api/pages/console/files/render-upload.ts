import { MAX_CSV_BYTES } from '../../../../contract/index.ts';
import { formatSize } from '../../format.ts';
import { errorSummary, type FieldErrors, hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { type Option, renderSelect } from '../fields.ts';
import { filesPath, type Workspace } from './file-visit.ts';

/** How a file is to be read, as the form of the upload chooses it. Each field is a parameter of the media type of an upload. */
const DETECT = { value: '', label: 'Detect it' };
const READINGS: readonly { name: string; label: string; options: readonly Option[] }[] = [
  {
    name: 'delimiter',
    label: 'Cells are separated by',
    options: [
      DETECT,
      { value: 'comma', label: 'Comma ,' },
      { value: 'semicolon', label: 'Semicolon ;' },
      { value: 'tab', label: 'Tab' },
      { value: 'pipe', label: 'Bar |' },
    ],
  },
  {
    name: 'dates',
    label: 'In dates such as 01/02/2024',
    options: [
      DETECT,
      { value: 'day_first', label: 'The day comes first' },
      { value: 'month_first', label: 'The month comes first' },
    ],
  },
  {
    name: 'header',
    label: 'The first line',
    options: [
      DETECT,
      { value: 'present', label: 'Has the names of the columns' },
      { value: 'absent', label: 'Is already a row' },
    ],
  },
  {
    name: 'charset',
    label: 'Encoding',
    options: [
      DETECT,
      { value: 'utf-8', label: 'UTF-8' },
      { value: 'windows-1252', label: 'Windows-1252 (Western European)' },
      { value: 'utf-16le', label: 'UTF-16, little-endian' },
      { value: 'utf-16be', label: 'UTF-16, big-endian' },
    ],
  },
];

export const READING_NAMES = READINGS.map(({ name }) => name);
/** How the form calls the fields that a fault can name. */
export const READING_LABELS = Object.fromEntries(READINGS.map(({ name, label }) => [name, label]));

/** What was wrong with an upload. */
export interface UploadProblem {
  readonly status: number;
  readonly message: string;
  /** The line that the message names. */
  readonly excerpt?: string | undefined;
  readonly errors?: FieldErrors | undefined;
}

interface UploadOptions {
  readonly workspace: Workspace;
  readonly given?: Readonly<Record<string, string>> | undefined;
  readonly problem?: UploadProblem | undefined;
  /** The file that the upload replaces. */
  readonly replaces?: { readonly id: string } | undefined;
  readonly now: Date;
}

/** Renders the form that uploads a file. A script adds dropping and progress. */
export function renderUpload({ workspace, given = {}, problem, replaces, now }: UploadOptions): Html {
  const errors = problem?.errors ?? {};
  const isOpen = replaces !== undefined || READING_NAMES.some((name) => given[name] || errors[name]);
  const api = `/api/v1/workspaces/${encodeURIComponent(workspace.slug)}/csv`;
  return html`<form id="upload" class="stack upload" method="post" action="${filesPath(workspace)}" enctype="multipart/form-data" data-upload="${api}" data-pages="${filesPath(workspace)}">
<div data-problem>${renderProblem(problem)}</div>
${replaces && hidden('replaces', replaces.id)}${hidden('since', now.toISOString())}
<details class="reading"${isOpen && html` open`}>
<summary>How to read it</summary>
<p class="hint">Usually nothing has to be chosen here: delimiter, decimal marks, dates and header are detected.</p>
<div class="fields">${READINGS.map(({ name, label, options }) =>
    renderSelect({ name, label, options, value: given[name] ?? '' }, errors),
  )}</div>
</details>
<div class="drop" data-drop>
<label for="file">${replaces ? html`Choose the file again` : html`Choose a CSV file`}<span class="dropping" hidden data-dropping>, or drop it here</span></label>
<p class="hint" id="file-hint">Up to ${formatSize(MAX_CSV_BYTES)}. One column of times, one or more columns of numbers. From a spreadsheet: save it as CSV.</p>
<input id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain" required aria-describedby="file-hint">
</div>
<div class="progress" hidden data-progress><progress max="100" value="0" aria-label="Upload"></progress> <span data-progress-text role="status"></span> <button type="button" class="quiet" data-cancel>Cancel</button></div>
<p><button>${replaces ? html`Upload and replace` : html`Upload`}</button></p>
</form>`;
}

function renderProblem(problem: UploadProblem | undefined): Html | null {
  if (problem === undefined) return null;
  if (problem.errors !== undefined) return errorSummary(problem.errors);
  return html`<div class="alert" role="alert" tabindex="-1" autofocus><h2>The file was not stored</h2>
<p>${describeFault(problem.message)}</p>
${problem.excerpt !== undefined && html`<pre class="excerpt"><code>${problem.excerpt}</code></pre>`}</div>`;
}

/** @example describeFault('line 3: there is …') // Line 3: there is … */
export function describeFault(message: string): string {
  const words = message.replace(/^source(?:\.\w+)?: /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
