import { readVersion } from '../../platform/index.ts';
import type { LocalCommand } from '../command.ts';

export const versionCommands: LocalCommand[] = [
  {
    name: 'version',
    arguments: [],
    options: {},
    summary: 'Prints the versions of this build, of its interface and of its engine, and of Node.',
    example: 'version',
    async run() {
      // Loaded here, because other commands start without them.
      const [{ INTERFACE_VERSION }, { ENGINE_VERSION }] = await Promise.all([
        import('../../contract/index.ts'),
        import('../../engine/index.ts'),
      ]);
      return {
        build: readVersion(),
        interface: INTERFACE_VERSION,
        engine: ENGINE_VERSION,
        node: process.versions.node,
        platform: `${process.platform}-${process.arch}`,
      };
    },
  },
];
