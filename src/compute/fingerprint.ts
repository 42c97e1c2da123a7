import { readFileSync } from 'node:fs';
import { arch, version } from 'node:process';
import { ENGINE_VERSION } from '../engine/index.ts';

/** What the digits of a forecast depend on, beside its request. Machines with the same fingerprint compute the same bytes. */
export interface Fingerprint {
  readonly engine: string;
  readonly node: string;
  readonly architecture: string;
  /** Null if no neural model takes part. */
  readonly onnxruntime: string | null;
  /** The widest vector instructions, between which neural runtimes choose. */
  readonly cpu: string;
}

/** @param models the models of the forecast: only a neural one depends on its runtime */
export function readFingerprint(models: readonly string[]): Fingerprint {
  return {
    engine: ENGINE_VERSION,
    node: version,
    architecture: arch,
    onnxruntime: models.includes('toto') ? onnxruntimeVersion() : null,
    cpu: cpuClass(readCpuInfo()),
  };
}

/** Reads the version from the package: only the thread that uses the runtime loads it. */
function onnxruntimeVersion(): string {
  const file = new URL('../package.json', import.meta.resolve('onnxruntime-node'));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The widest first: a runtime uses the widest that the CPU has. */
const VECTOR_CLASSES = ['avx512f', 'avx2', 'avx', 'sse4_2', 'sve2', 'sve', 'asimd', 'neon'] as const;

/** Returns the widest vector instructions that a Linux cpuinfo lists, or `generic`. */
export function cpuClass(cpuInfo: string): string {
  const line = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuInfo)?.[1] ?? '';
  const features = new Set(line.trim().split(/\s+/));
  return VECTOR_CLASSES.find((name) => features.has(name)) ?? 'generic';
}

function readCpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    // The file exists only on Linux.
    return '';
  }
}
