import { formatExact, formatProbability } from '../../../src/wording/format.ts';

/** Marks the field of the value with a reason, as the page does after a refusal. @param reason null removes the mark */
export function markValue(field: HTMLInputElement, reason: string | null): void {
  const id = `${field.id}-error`;
  const shown = document.getElementById(id);
  if (reason === null) {
    shown?.remove();
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
    return;
  }
  const words = shown ?? document.createElement('p');
  words.id = id;
  words.className = 'error';
  words.textContent = reason;
  if (shown === null) field.after(words);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
}

/** A value with its probability. */
interface Chosen {
  readonly value: number;
  readonly probability: number;
}

/** Moves the row of the chosen value to its place among the others. @param chosen null hides it, as no value is chosen */
export function showChosenRow(form: HTMLFormElement, chosen: Chosen | null): void {
  const row = form.querySelector<HTMLTableRowElement>('tr[data-chosen]');
  const body = row?.parentElement;
  if (!row || !body) return;
  const others = [...body.querySelectorAll<HTMLTableRowElement>('tr')].filter((one) => one !== row);
  row.hidden = chosen === null;
  for (const other of others) other.hidden = Number(other.dataset.value) === chosen?.value;
  if (chosen === null) return;
  const [value, probability] = row.cells;
  row.dataset.value = String(chosen.value);
  if (value) value.textContent = formatExact(chosen.value);
  if (probability) probability.textContent = formatProbability(chosen.probability);
  body.insertBefore(row, others.find((other) => Number(other.dataset.value) > chosen.value) ?? null);
}
