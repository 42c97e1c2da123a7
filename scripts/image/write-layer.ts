import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface Layer extends Blob {
  /** The digest of the layer before its compression. */
  readonly diffId: string;
  readonly uncompressedSize: number;
}

/** An empty folder that does not belong to root, or that others can write to. */
export interface SpecialFolder {
  readonly folder: string;
  readonly owner: number;
  readonly mode: string;
}

const NAMES = ['--format=gnu', '--numeric-owner', '--sort=name'];

/**
 * Writes a folder as a layer to the folder of blobs. Names are sorted, and times, owners and modes are fixed, so that
 * equal files give an equal digest.
 */
export async function writeLayer(
  blobs: string,
  root: string,
  { epoch, special }: { readonly epoch: number; readonly special: readonly SpecialFolder[] },
): Promise<Layer> {
  const tar = path.join(blobs, 'layer.tar');
  const compressed = path.join(blobs, 'layer.tar.gz');
  const always = ['--file', tar, '--directory', root, `--mtime=@${epoch}`, ...NAMES];
  const excluded = special.map(({ folder }) => `--exclude=./${folder}`);
  execFileSync('tar', ['--create', ...always, '--owner=0', '--group=0', '--mode=u+rwX,go+rX,go-w', ...excluded, '.']);
  for (const { folder, owner, mode } of special) {
    const ofFolder = [`--owner=${owner}`, `--group=${owner}`, `--mode=${mode}`, '--no-recursion', `./${folder}`];
    execFileSync('tar', ['--append', ...always, ...ofFolder]);
  }
  const plain = new Measured();
  const packed = new Measured();
  await pipeline(createReadStream(tar), plain.pass, createGzip(), packed.pass, createWriteStream(compressed));
  rmSync(tar);
  renameSync(compressed, path.join(blobs, packed.hash));
  return {
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    digest: `sha256:${packed.hash}`,
    size: packed.size,
    diffId: `sha256:${plain.hash}`,
    uncompressedSize: plain.size,
  };
}

/** The hash and the size of what passes. */
class Measured {
  readonly #hash = createHash('sha256');
  size = 0;

  readonly pass = async function* (this: Measured, source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      this.#hash.update(chunk);
      this.size += chunk.length;
      yield chunk;
    }
  }.bind(this);

  get hash(): string {
    return this.#hash.copy().digest('hex');
  }
}
