import { readNumber } from '../../../src/api/pages/read-number.ts';
import { formatExact, formatProbability } from '../../../src/wording/format.ts';
import { ApiError, callApi } from '../api.ts';
import { fetchPage } from '../forecasts/fetch-page.ts';
import { readPageData } from '../page-data.ts';
import { markValue, showChosenRow } from './chosen-value.ts';
import { interpolate, type Point, type Scale, stepAt, stepOf, valueAt, yOf } from './threshold-scale.ts';

/** What the page states about the threshold, and the probabilities of those around it. */
interface Grid {
  readonly forecast: string;
  readonly step: number;
  readonly op: string;
  readonly threshold: number;
  readonly points: readonly Point[];
}

/** How long the threshold must rest before its exact probability is requested. */
const PAUSE_MS = 250;

/** A pointer that moves further between its press and its release drags the line. */
const MAX_TAP_PX = 4;

/**
 * Lets a visitor pick a threshold on the fan: by dragging, by tapping or with the arrow keys. The probability follows, at
 * first between those that the page contains, then exactly. Another period or condition loads another fan; a tap can
 * choose the period as well.
 */
export function pickThresholds(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('form[data-pick]');
  const field = form?.elements.namedItem('threshold');
  if (!form || !(field instanceof HTMLInputElement)) return;
  // Without a script, this button is how to see the probability.
  for (const button of form.querySelectorAll<HTMLElement>('[data-look]')) button.hidden = true;
  // A suggested value follows the period. A value that the visitor typed or picked stays.
  let isChosen = form.dataset.suggested === undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const start = (work: (signal: AbortSignal) => Promise<void>, pause: number): void => {
    clearTimeout(timer);
    running?.abort();
    const own = new AbortController();
    running = own;
    timer = setTimeout(() => {
      work(own.signal).catch((error: unknown) => {
        if (!own.signal.aborted) showOdds(null, messageOf(error));
      });
    }, pause);
  };
  const follow = (value: number): void => {
    isChosen = true;
    const grid = readPageData<Grid>('grid');
    if (grid === null) return;
    const between = interpolate(grid.points, value);
    markValue(field, null);
    moveLine(form, value, grid);
    showOdds(between, null);
    showChosenRow(form, { value, probability: between });
    start((signal) => showExact(form, grid, value, signal), PAUSE_MS);
    history.replaceState(history.state, '', addressOf(form));
  };
  /** Takes back the probability of the value before, which is not an answer to what the field contains now. */
  const refuse = (): void => {
    clearTimeout(timer);
    running?.abort();
    const reason = form.dataset.valueNeeded ?? '';
    markValue(field, reason);
    showOdds(null, reason);
    showChosenRow(form, null);
  };
  const reload = async (signal: AbortSignal): Promise<void> => {
    const address = addressOf(form);
    const page = await fetchPage(address, signal);
    const next = page.getElementById('picker');
    if (next === null) throw new Error('The response has no fan.');
    const hasFocus = chartOf(form)?.contains(document.activeElement) === true;
    form.querySelector('#picker')?.replaceWith(next);
    const words = page.getElementById('step-words');
    if (words !== null) form.querySelector('#step-words')?.replaceWith(words);
    markValue(field, null);
    history.replaceState(history.state, '', address);
    listen(form, field, follow);
    if (hasFocus) chartOf(form)?.focus({ preventScroll: true });
  };
  field.addEventListener('input', () => {
    isChosen = field.value.trim() !== '';
    const value = readNumber(field.value);
    if (value === null) refuse();
    else if (readPageData<Grid>('grid') === null) start(reload, PAUSE_MS);
    else follow(value);
  });
  for (const name of ['step', 'op']) {
    const choice = form.elements.namedItem(name);
    if (!(choice instanceof HTMLSelectElement)) continue;
    choice.addEventListener('change', () => {
      // Without a value, the page suggests the middle of the period.
      if (!isChosen) field.value = '';
      else if (readNumber(field.value) === null) return refuse();
      start(async (signal) => {
        await reload(signal);
        const grid = readPageData<Grid>('grid');
        if (grid !== null) field.value = String(grid.threshold);
      }, 0);
    });
  }
  listen(form, field, follow);
}

/** Makes the fan a slider. */
function listen(form: HTMLFormElement, field: HTMLInputElement, follow: (value: number) => void): void {
  const chart = chartOf(form);
  const grid = readPageData<Grid>('grid');
  if (!chart || grid === null) return;
  for (const words of form.querySelectorAll<HTMLElement>('[data-script]')) words.hidden = false;
  chart.tabIndex = 0;
  chart.setAttribute('role', 'slider');
  chart.setAttribute('aria-label', 'Value on the fan');
  chart.setAttribute('aria-orientation', 'vertical');
  moveLine(form, grid.threshold, grid);
  const pick = (value: number): void => {
    field.value = String(value);
    follow(value);
  };
  const pickAt = (event: MouseEvent): void => {
    const svg = shownDrawing(chart);
    const scale = svg && scaleOf(svg);
    if (!svg || !scale) return;
    const { top, height } = svg.getBoundingClientRect();
    pick(valueAt(scale, ((event.clientY - top) * svg.viewBox.baseVal.height) / height));
  };
  let pressed: PointerEvent | null = null;
  chart.addEventListener('pointerdown', (event) => {
    pressed = event;
    // A finger that scrolls the page begins anywhere. It drags the line only if it begins there, and a tap is a click.
    const isOnLine = event.target instanceof Element && event.target.closest('[data-threshold]') !== null;
    if (event.button !== 0 || (event.pointerType === 'touch' && !isOnLine)) return;
    chart.setPointerCapture(event.pointerId);
    pickAt(event);
  });
  chart.addEventListener('pointermove', (event) => {
    if (chart.hasPointerCapture(event.pointerId)) pickAt(event);
  });
  chart.addEventListener('click', (event) => {
    pickAt(event);
    const { clientX, clientY } = pressed ?? event;
    const isTap = Math.hypot(event.clientX - clientX, event.clientY - clientY) <= MAX_TAP_PX;
    if (isTap) chooseStep(form, chart, event);
  });
  chart.addEventListener('keydown', (event) => {
    const svg = chart.querySelector('svg');
    const scale = svg && scaleOf(svg);
    const at = readNumber(field.value) ?? grid.threshold;
    if (!scale || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = keyed(event.key, at, scale);
    if (next === null) return;
    event.preventDefault();
    pick(next);
  });
}

/** Chooses the period below a tap, as the list of periods does. A period that is over is not in the list. */
function chooseStep(form: HTMLFormElement, chart: HTMLElement, { clientX }: MouseEvent): void {
  const choice = form.elements.namedItem('step');
  const svg = shownDrawing(chart);
  const places = svg?.querySelector<SVGElement>('.ac-mark')?.dataset.steps;
  if (!svg || places === undefined || !(choice instanceof HTMLSelectElement)) return;
  const { left, width } = svg.getBoundingClientRect();
  const x = ((clientX - left) * svg.viewBox.baseVal.width) / width;
  const step = String(stepAt(places.split(' ').map(Number), x));
  if (step === choice.value || ![...choice.options].some(({ value }) => value === step)) return;
  choice.value = step;
  choice.dispatchEvent(new Event('change'));
}

function chartOf(form: HTMLFormElement): HTMLElement | null {
  return form.querySelector('.picker .chart');
}

/** Returns the one of both drawings of the fan that the stylesheet shows. */
function shownDrawing(chart: HTMLElement): SVGSVGElement | undefined {
  return [...chart.querySelectorAll('svg')].find((one) => one.getBoundingClientRect().height > 0);
}

function keyed(key: string, at: number, scale: Scale): number | null {
  const step = stepOf(scale);
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: step,
    ArrowRight: step,
    ArrowDown: -step,
    ArrowLeft: -step,
    PageUp: 10 * step,
    PageDown: -10 * step,
  };
  if (key === 'Home') return scale.low;
  if (key === 'End') return scale.high;
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  if (move === undefined) return null;
  const moved = Math.round((at + move) / step) * step;
  return Number(Math.max(scale.low, Math.min(scale.high, moved)).toPrecision(12));
}

function scaleOf(svg: SVGElement): Scale | null {
  const mark = svg.querySelector<SVGElement>('.ac-mark');
  if (mark === null) return null;
  const read = (name: string): number => Number(mark.dataset[name]);
  return { low: read('low'), high: read('high'), lowY: read('lowY'), highY: read('highY') };
}

/** Moves the line on both drawings of the fan, of which the stylesheet shows one. */
function moveLine(form: HTMLFormElement, value: number, grid: Grid): void {
  for (const svg of form.querySelectorAll<SVGElement>('.picker svg')) {
    const scale = scaleOf(svg);
    const line = svg.querySelector('[data-threshold]');
    if (scale === null || line === null) continue;
    line.setAttribute('transform', `translate(0 ${yOf(scale, value).toFixed(1)})`);
    const label = line.querySelector('text');
    if (label) label.textContent = formatExact(value);
    const chart = svg.closest<HTMLElement>('.chart');
    if (chart === null) continue;
    chart.ariaValueMin = String(scale.low);
    chart.ariaValueMax = String(scale.high);
    chart.ariaValueNow = String(value);
    chart.ariaValueText = `${formatExact(value)}, about ${formatProbability(interpolate(grid.points, value))}`;
  }
}

/** Shows a probability. @param words the question, or why there is none; null while the exact probability is not known */
function showOdds(probability: number | null, words: string | null): void {
  const odds = document.getElementById('odds');
  const [figure, text] = [odds?.querySelector('.figure'), odds?.querySelector('.lead')];
  if (figure) figure.textContent = probability === null ? '–' : formatProbability(probability);
  if (text && words !== null) text.textContent = words;
}

interface Previews {
  readonly questions: readonly { readonly probability: number; readonly question: string }[];
}

async function showExact(
  form: HTMLFormElement,
  { forecast, step, op }: Grid,
  threshold: number,
  signal: AbortSignal,
): Promise<void> {
  const body = { forecast_id: forecast, thresholds: [threshold], steps: [step], op };
  const { questions } = await callApi<Previews>('/v1/scout/from-forecast/preview', { method: 'POST', body, signal });
  const [found] = questions;
  if (!found) return;
  showOdds(found.probability, found.question);
  showChosenRow(form, { value: threshold, probability: found.probability });
}

function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'The probability could not be read. Check your connection.';
}

/** Returns the address with the choices of the form, so that a reload shows the same. */
function addressOf(form: HTMLFormElement): string {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') params.append(name, value);
  return `${new URL(form.action).pathname}?${params}`;
}
