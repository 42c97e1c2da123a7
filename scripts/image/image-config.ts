import type { Architecture } from './architecture.ts';
import type { Layer } from './write-layer.ts';

export const USER = 10001;
const SECOND = 1_000_000_000;

/** What the labels of the image say about the build. */
export interface BuildOrigin {
  readonly version: string;
  readonly license: string;
  readonly description: string;
  /** The commit, if the checkout is a clone of a repository. */
  readonly revision: string | undefined;
  readonly epoch: number;
}

/** The settings that a container has unless it is given others. The rest have the defaults of the service. */
export const IMAGE_SETTINGS: Readonly<Record<string, string>> = {
  HOST: '0.0.0.0',
  PORT: '8080',
  ALMANAC_DATA: '/var/lib/almanac',
};

const ALIVE = `fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`;

/** Returns the configuration of the image, in the format of OCI. */
export function imageConfig(
  origin: BuildOrigin,
  { debian }: Architecture,
  layers: readonly [name: string, Layer][],
): object {
  const created = new Date(origin.epoch * 1000).toISOString().replace('.000', '');
  return {
    created,
    architecture: debian,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { [`${IMAGE_SETTINGS.PORT}/tcp`]: {} },
      Env: ['PATH=/usr/bin', ...Object.entries(IMAGE_SETTINGS).map(([name, value]) => `${name}=${value}`)],
      Entrypoint: ['/usr/bin/almanac'],
      Cmd: ['serve'],
      Volumes: { [IMAGE_SETTINGS.ALMANAC_DATA as string]: {} },
      WorkingDir: IMAGE_SETTINGS.ALMANAC_DATA,
      StopSignal: 'SIGTERM',
      Labels: labels(origin, created),
      // Not a part of the OCI format, but Docker reads it. Podman does not, and Kubernetes has probes of its own.
      Healthcheck: {
        Test: ['CMD', '/usr/bin/node', '-e', ALIVE],
        Interval: 30 * SECOND,
        Timeout: 5 * SECOND,
        StartPeriod: 60 * SECOND,
        Retries: 3,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(([, { diffId }]) => diffId) },
    history: layers.map(([name]) => ({ created, created_by: 'npm run image', comment: name })),
  };
}

function labels({ version, license, description, revision }: BuildOrigin, created: string): Record<string, string> {
  const named = { title: 'almanac', description, version, revision, licenses: license, created };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [[`org.opencontainers.image.${name}`, value]],
    ),
  );
}
