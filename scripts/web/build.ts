import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { PUBLIC_STYLE } from '../../src/api/pages/public/style.ts';

const root = join(import.meta.dirname, '../..');

/** The scripts of the console, each a file in web/src. */
const SCRIPTS = [
  'console',
  'search',
  'series',
  'new',
  'forecast',
  'forecasts',
  'questions',
  'screener',
  'workspaces',
  'files',
  'admin',
];
/** The parts of the stylesheet in their order, after the style that all pages share. */
const STYLES = [
  'tokens',
  'layout',
  'components',
  'forms',
  'states',
  'search',
  'series',
  'new',
  'forecast',
  'forecasts',
  'actions',
  'questions',
  'screener',
  'workspaces',
  'files',
  'account',
  'webhooks',
  'admin',
  'chart',
];

/**
 * Builds the scripts and the stylesheet of the console. File names contain a hash of their content. The same sources give
 * the same bytes on every machine.
 *
 * @param folder an existing folder is replaced
 */
export async function buildWeb(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const common: BuildOptions & { metafile: true } = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    minify: true,
    metafile: true,
    legalComments: 'eof',
    target: ['chrome120', 'firefox120', 'safari17'],
    entryNames: '[name]-[hash]',
    logLevel: 'error',
  };
  const scripts = await build({
    ...common,
    entryPoints: SCRIPTS.map((name) => `web/src/${name}.tsx`),
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const style = await build({
    ...common,
    stdin: { contents: await readStyle(), loader: 'css', resolveDir: root, sourcefile: 'console.css' },
    entryNames: 'console-[hash]',
  });
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifestOf(folder, [scripts, style]), null, 2)}\n`);
}

async function readStyle(): Promise<string> {
  const own = await Promise.all(STYLES.map((name) => readFile(join(root, `web/styles/${name}.css`), 'utf8')));
  const uplot = await readFile(join(root, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8');
  return [PUBLIC_STYLE, uplot, ...own].join('\n');
}

/** Returns the entries with the files that they need, and all files. */
function manifestOf(folder: string, builds: readonly { readonly metafile: Metafile }[]): object {
  const outputs = builds.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const name = (path: string) => relative(folder, join(root, path));
  const imports = new Map(
    outputs.map(([path, { imports }]) => [
      name(path),
      imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => name(path)),
    ]),
  );
  const withImports = (file: string): string[] => [
    ...new Set((imports.get(file) ?? []).flatMap((one) => [one, ...withImports(one)])),
  ];
  const entries = outputs
    .filter(([, { entryPoint }]) => entryPoint !== undefined && !entryPoint.startsWith('node_modules'))
    .map(([path]) => name(path))
    .filter((file) => !file.startsWith('chunk-'))
    .map((file) => [file.replace(/-[A-Z0-9]{8}(\.\w+)$/, '$1'), { file, imports: withImports(file).sort() }] as const);
  return {
    entries: Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))),
    files: outputs.map(([path]) => name(path)).sort(),
  };
}
