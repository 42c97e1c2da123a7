import { Mutex, settlesWithin, ThreadPool } from '../../platform/index.ts';
import { rendererBusy, renderFailed } from './faults.ts';

/** A message to the thread. */
export interface PngTask {
  readonly svg: string;
  readonly scale: number;
  readonly maxPixels: number;
}

export interface PngOptions {
  /** The pixels of the image for each pixel of the drawing. Default: 2, for sharp text on every screen. */
  readonly scale?: number | undefined;
}

interface RendererOptions {
  readonly script?: URL;
  /** Further calls fail while so many wait. */
  readonly maxWaiting?: number;
  /** A drawing that takes longer fails, and its thread ends. */
  readonly timeoutMs?: number;
  /** The pixels of the largest image. Larger drawings are made smaller. */
  readonly maxPixels?: number;
}

const MAX_PIXELS = 4_000_000;
const MAX_SVG_LENGTH = 1_000_000;

/**
 * Turns SVG into PNG in one thread, one drawing after another. The thread starts when it is needed, ends when it is
 * idle, and is replaced after any failure, because WebAssembly that has failed may be in any state.
 */
export class PngRenderer {
  readonly #threads: ThreadPool<null, PngTask, Uint8Array<ArrayBuffer>>;
  readonly #turns = new Mutex();
  readonly #maxWaiting: number;
  readonly #timeoutMs: number;
  readonly #maxPixels: number;
  #waiting = 0;

  constructor({
    script = new URL('./png-thread.ts', import.meta.url),
    maxWaiting = 16,
    timeoutMs = 15_000,
    maxPixels = MAX_PIXELS,
  }: RendererOptions = {}) {
    this.#threads = new ThreadPool(script, { maxThreads: 1 });
    this.#maxWaiting = maxWaiting;
    this.#timeoutMs = timeoutMs;
    this.#maxPixels = maxPixels;
  }

  /** Returns the bytes of a PNG. Throws a fault (503) if too many calls wait or the drawing fails. */
  async render(svg: string, { scale = 2 }: PngOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    if (svg.length > MAX_SVG_LENGTH) throw new RangeError(`The SVG has more than ${MAX_SVG_LENGTH} characters.`);
    if (this.#waiting >= this.#maxWaiting) throw rendererBusy();
    this.#waiting += 1;
    try {
      return await this.#turns.run(() => this.#draw({ svg, scale, maxPixels: this.#maxPixels }));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends the thread. Running and later calls fail. */
  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #draw(task: PngTask): Promise<Uint8Array<ArrayBuffer>> {
    const drawing = this.#threads.run(null, task);
    if (!(await settlesWithin(drawing, this.#timeoutMs))) await this.#threads.endThreads();
    try {
      return await drawing;
    } catch (error) {
      await this.#threads.endThreads();
      throw renderFailed(error);
    }
  }
}

const renderer = new PngRenderer();

/**
 * Returns a drawing as PNG. The drawing must contain its colors as attributes: classes and CSS variables have no effect.
 *
 * @example await renderPng(drawForecastChart(chart, { width: 600, height: 315, colors: 'light' }))
 */
export async function renderPng(svg: string, options?: PngOptions): Promise<Uint8Array<ArrayBuffer>> {
  return await renderer.render(svg, options);
}
