import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Architecture } from './architecture.ts';
import type { Blob, Layer } from './write-layer.ts';

export interface ImageParts {
  readonly version: string;
  readonly architecture: Architecture;
  readonly config: object;
  readonly layers: readonly Layer[];
  readonly epoch: number;
}

/** The folder of a layout that has its layers, configuration and manifest. */
export const BLOBS = 'blobs/sha256';

/**
 * Completes a layout, whose layers are there, and writes it as an archive. Besides the index of OCI it has the list that
 * `docker load` of every version reads. Returns the digest of the image's manifest.
 */
export function writeArchive(layout: string, archive: string, parts: ImageParts): string {
  const { version, architecture, layers, epoch } = parts;
  const name = `almanac:${version}`;
  const config = writeBlob(layout, 'application/vnd.oci.image.config.v1+json', parts.config);
  const manifest = writeBlob(layout, 'application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
  });
  const files = {
    'oci-layout': { imageLayoutVersion: '1.0.0' },
    'index.json': {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [
        {
          ...manifest,
          platform: { architecture: architecture.debian, os: 'linux' },
          annotations: {
            'org.opencontainers.image.ref.name': version,
            'io.containerd.image.name': `docker.io/library/${name}`,
          },
        },
      ],
    },
    'manifest.json': [{ Config: pathOf(config), RepoTags: [name], Layers: layers.map(pathOf) }],
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(path.join(layout, file), JSON.stringify(content));
  const fixed = [
    `--mtime=@${epoch}`,
    '--sort=name',
    '--format=gnu',
    '--numeric-owner',
    '--owner=0',
    '--group=0',
    '--mode=u=rwX,go=rX',
  ];
  execFileSync('tar', ['--create', '--file', archive, '--directory', layout, ...fixed, 'blobs', ...Object.keys(files)]);
  return manifest.digest;
}

function writeBlob(layout: string, mediaType: string, content: object): Blob {
  const text = JSON.stringify(content);
  const hash = createHash('sha256').update(text).digest('hex');
  mkdirSync(path.join(layout, BLOBS), { recursive: true });
  writeFileSync(path.join(layout, BLOBS, hash), text);
  return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(text) };
}

function pathOf({ digest }: Blob): string {
  return `${BLOBS}/${digest.replace('sha256:', '')}`;
}
