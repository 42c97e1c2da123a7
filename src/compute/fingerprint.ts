import { readFileSync } from 'node:fs';
import { arch, version } from 'node:process';
import { ENGINE_VERSION } from '../engine/index.ts';

/** What the digits of a forecast depend on beside its request. Two machines with the same one give the same bytes. */
export interface Fingerprint {
  readonly engine: string;
  readonly node: string;
  readonly architecture: string;
  /** Null: no neural runtime takes part. */
  readonly onnxruntime: string | null;
  /** Which vector instructions neural runtimes can choose between. */
  readonly cpu: string;
}

/** @param models those of the forecast: only a neural one depends on its runtime */
export function readFingerprint(models: readonly string[]): Fingerprint {
  return {
    engine: ENGINE_VERSION,
    node: version,
    architecture: arch,
    onnxruntime: models.includes('toto') ? onnxruntimeVersion() : null,
    cpu: cpuClass(readCpuInfo()),
  };
}

/** From its package: loading the runtime itself is for the thread that uses it. */
function onnxruntimeVersion(): string {
  const file = new URL('../package.json', import.meta.resolve('onnxruntime-node'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The widest first: a runtime takes the best that is there. */
const VECTOR_CLASSES = ['avx512f', 'avx2', 'avx', 'sse4_2', 'sve2', 'sve', 'asimd', 'neon'] as const;

/** The widest vector instructions that a Linux cpuinfo lists; `generic` where it tells of none. */
export function cpuClass(cpuInfo: string): string {
  const line = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuInfo)?.[1] ?? '';
  const features = new Set(line.trim().split(/\s+/));
  return VECTOR_CLASSES.find((name) => features.has(name)) ?? 'generic';
}

function readCpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    // Not on Linux.
    return '';
  }
}
