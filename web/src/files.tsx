// The script of the pages of files: dropping a file, its progress, and choices that apply as they are made.

import { findLine } from './files/find-line.ts';
import { sendFile } from './files/send-file.ts';

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-upload]')) addUpload(form);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-choose]')) {
  form.addEventListener('change', () => form.requestSubmit());
}

function addUpload(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  const drop = form.querySelector<HTMLElement>('[data-drop]');
  if (input === null || drop === null) return;
  form.querySelector('[data-dropping]')?.removeAttribute('hidden');
  for (const name of ['dragenter', 'dragover']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
  }
  for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) upload(form, file);
  });
  // A file that is dropped beside the field would otherwise replace the page.
  for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
  // Replacing a file also needs the choices of the form, so only a new file is sent when it is chosen.
  const isNew = form.querySelector('input[name="replaces"]') === null;
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (isNew && file !== undefined) upload(form, file);
  });
  form.addEventListener('submit', (event) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    event.preventDefault();
    upload(form, file);
  });
}

const READINGS = ['delimiter', 'dates', 'header', 'charset'];

async function upload(form: HTMLFormElement, file: File): Promise<void> {
  if (form.dataset.busy !== undefined) return;
  form.dataset.busy = '';
  const fields = new FormData(form);
  const declared = READINGS.filter((name) => fields.get(name)).map((name) => `; ${name}=${fields.get(name)}`);
  const progress = showProgress(form, file);
  try {
    showProblem(form, null);
    const query = new URLSearchParams({ name: file.name });
    for (const [field, parameter] of [
      ['replaces', 'replaces'],
      ['since', 'not_since'],
    ] as const) {
      const value = fields.get(field);
      if (typeof value === 'string') query.set(parameter, value);
    }
    const { id } = await sendFile(`${form.dataset.upload}?${query}`, file, {
      type: `text/csv${declared.join('')}`,
      signal: progress.signal,
      onProgress: progress.show,
    });
    location.assign(`${form.dataset.pages}/${encodeURIComponent(id)}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The upload failed. Try again.';
    if (!progress.signal.aborted) showProblem(form, message, await findLine(file, message));
    const input = form.querySelector<HTMLInputElement>('input[type="file"]');
    if (input !== null) input.value = '';
    delete form.dataset.busy;
  } finally {
    progress.end();
  }
}

function showProgress(form: HTMLFormElement, file: File) {
  const panel = form.querySelector<HTMLElement>('[data-progress]');
  const bar = panel?.querySelector('progress');
  const text = panel?.querySelector<HTMLElement>('[data-progress-text]');
  const abort = new AbortController();
  const cancel = panel?.querySelector<HTMLButtonElement>('[data-cancel]');
  if (cancel) cancel.onclick = () => abort.abort();
  panel?.removeAttribute('hidden');
  const show = (share: number): void => {
    if (bar) bar.value = Math.round(100 * share);
    const words = share < 1 ? `Uploading ${file.name}: ${Math.round(100 * share)}%` : `Reading ${file.name}…`;
    // A screen reader should not announce every percent.
    if (text && (share === 0 || share === 1 || Math.round(100 * share) % 25 === 0)) text.textContent = words;
  };
  show(0);
  return { show, signal: abort.signal, end: () => panel?.setAttribute('hidden', '') };
}

/** Shows why a file was refused, with the line that the message names. */
function showProblem(form: HTMLFormElement, message: string | null, line: string | null = null): void {
  const place = form.querySelector<HTMLElement>('[data-problem]');
  if (place === null) return;
  place.replaceChildren();
  if (message === null) return;
  const alert = document.createElement('div');
  alert.className = 'alert';
  alert.setAttribute('role', 'alert');
  alert.tabIndex = -1;
  const title = document.createElement('h2');
  title.textContent = 'The file was not stored';
  const text = document.createElement('p');
  text.textContent = message.charAt(0).toUpperCase() + message.slice(1);
  alert.append(title, text);
  if (line !== null) {
    const excerpt = document.createElement('pre');
    excerpt.className = 'excerpt';
    excerpt.textContent = line;
    alert.append(excerpt);
  }
  place.append(alert);
  alert.focus();
}
