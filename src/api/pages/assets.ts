import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assetNotFound } from '../faults.ts';

/** The scripts of the console. The first one is on every page. */
export type Script =
  | 'console'
  | 'search'
  | 'series'
  | 'new'
  | 'forecast'
  | 'forecasts'
  | 'questions'
  | 'screener'
  | 'workspaces'
  | 'files'
  | 'admin';

/** The files that `npm run build:web` wrote, by the name of their entry. */
interface Manifest {
  /** The files of an entry: its own and those that it imports, which browsers should request together. */
  readonly entries: Readonly<Record<string, { readonly file: string; readonly imports: readonly string[] }>>;
  readonly files: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../../../web/dist');
const manifest: Manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8'));
const FILES = new Set(manifest.files);

function find(entry: string): Manifest['entries'][string] {
  const known = manifest.entries[entry];
  if (known === undefined) throw new Error(`web/dist has no ${entry}: run npm run build:web.`);
  return known;
}

const urlOf = (file: string): string => `/assets/${file}`;

/** The URL of the stylesheet. The names of files contain a hash, so that browsers can keep them forever. */
export const STYLE_URL = urlOf(find('console.css').file);

/** Returns the URLs of scripts, and of the files that they import. */
export function scriptUrls(scripts: readonly Script[]): { readonly scripts: string[]; readonly imports: string[] } {
  const found = scripts.map((script) => find(`${script}.js`));
  return {
    scripts: found.map(({ file }) => urlOf(file)),
    imports: [...new Set(found.flatMap(({ imports }) => imports))].map(urlOf),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof ENCODERS;

/** Serves the scripts and styles of the console from memory. Each is read and compressed once. */
export function registerAssets(app: FastifyInstance): void {
  const bodies = new Map<string, Promise<Buffer>>();
  const bodyOf = (file: string, encoding: Encoding | 'identity'): Promise<Buffer> => {
    const key = `${encoding} ${file}`;
    const known = bodies.get(key) ?? encode(file, encoding);
    bodies.set(key, known);
    // A file that could not be read is read again for the next request.
    known.catch(() => bodies.delete(key));
    return known;
  };
  // Not counted against a rate limit: otherwise the page that explains the limit would have no style.
  app.get('/assets/:file', { compress: false }, async (request: FastifyRequest, reply: FastifyReply) => {
    const { file } = request.params as { readonly file: string };
    if (!FILES.has(file)) throw assetNotFound();
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type(TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
      .send(await bodyOf(file, encoding));
  });
}

function chooseEncoding(accepted: string | string[] | undefined): Encoding | 'identity' {
  const names = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim());
  // A quality is rare, and 0 rarer still: such a client gets the plain file.
  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? 'identity';
}

async function encode(file: string, encoding: Encoding | 'identity'): Promise<Buffer> {
  const plain = readFileSync(join(FOLDER, file));
  return encoding === 'identity' ? plain : ENCODERS[encoding](plain);
}
