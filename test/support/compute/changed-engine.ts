import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES_FOLDER, HASHES_FILE } from '../../../src/compute/engines/engine-bundles.ts';
import { ENGINE_VERSION } from '../../../src/engine/index.ts';

/** The season that every result of a changed engine states. No real series has it. */
export const CHANGED_SEASON = 77;
/** The factor by which a changed engine multiplies what models forecast. */
export const CHANGED_FACTOR = 1.5;

/** Returns the recorded bundle of the sources. */
export function recordedEngine(): string {
  return readFileSync(join(ENGINES_FOLDER, `${ENGINE_VERSION}.mjs`), 'utf8');
}

/**
 * Returns an engine that runs the recorded one and changes in each kind of thread what it returns: the season where
 * forecasts are planned, the values where models are fitted, and those of Toto.
 */
export function changedEngine(version: string): string {
  const recorded = Buffer.from(recordedEngine()).toString('base64');
  return `import * as engine from 'data:text/javascript;base64,${recorded}';
export const { MODEL_CATALOG, ModelError, fitWindows, readCheckpoint } = engine;
export const ENGINE_VERSION = ${JSON.stringify(version)};
const change = (rows) => rows.map((row) => row.map((value) => value * ${CHANGED_FACTOR}));
export const forecast = async (...parameters) => ({ ...(await engine.forecast(...parameters)), season: ${CHANGED_SEASON} });
export const createModels = (runtimes) => new Map([...engine.createModels(runtimes)].map(([id, model]) => {
  const fit = (series, context) => {
    const forecaster = model.fit(series, context);
    return (horizon, quantiles) => change(forecaster(horizon, quantiles));
  };
  return [id, { ...model, fit }];
}));
export const startToto = async (...parameters) => {
  const toto = await engine.startToto(...parameters);
  const forecastWindows = async (task, flag) =>
    (await toto.forecastWindows(task, flag)).map((one) => ('rows' in one ? { rows: change(one.rows) } : one));
  return { ...toto, forecastWindows };
};
`;
}

/** A folder with engines and their hashes. */
export interface EnginesFolder extends Disposable {
  readonly path: string;
  /** Returns the file of a version. */
  fileOf(version: string): string;
}

/** Writes engines to a folder, by version, with their hashes. */
export function writeEngines(engines: Readonly<Record<string, string>>): EnginesFolder {
  const parent = mkdtempSync(join(tmpdir(), 'almanac-engines-'));
  const path = join(parent, 'engines');
  mkdirSync(path);
  const fileOf = (version: string): string => join(path, `${version}.mjs`);
  const lines = Object.entries(engines).map(([version, source]) => {
    writeFileSync(fileOf(version), source);
    return `${createHash('sha256').update(source).digest('hex')}  ${version}.mjs\n`;
  });
  writeFileSync(join(path, HASHES_FILE), lines.join(''));
  return { path, fileOf, [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }) };
}
