import type { Scene } from './scene.ts';

/** The sessions that are evaluated. The bundled bars have them. */
export const SESSIONS = ['2018-03-02', '2018-03-05'] as const;

/** Creates filters and evaluates them. */
export async function createFilters(scene: Scene): Promise<void> {
  const create = async (name: string, fields: object) => {
    const path = '/v1/me/screener-alerts';
    const { id } = await scene.send<{ id: string }>('ada', 'POST', path, { name, ...fields });
    return scene.setId(`filter:${name}`, id);
  };
  await create('Above its average', {
    ...{ universe: 'all', email: true },
    all: [
      { field: 'close', op: 'gt', other_field: 'sma_20' },
      { field: 'rsi_14', op: 'between', value: [10, 90] },
    ],
  });
  await create('Two symbols', { universe: ['AAPL', '^GSPC'], any: [{ field: 'close', op: 'gt', value: 1 }] });
  const removed = await create('Removed', { universe: 'all', any: [{ field: 'close', op: 'gt', value: 1 }] });
  for (const session of SESSIONS) await scene.command(['screener', 'run', '--session', session, '--keep']);
  await scene.send('ada', 'DELETE', `/v1/me/screener-alerts/${removed}`);
}
