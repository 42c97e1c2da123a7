import assert from 'node:assert/strict';
import { FILL_OPTIONS, openFillScene, symbolAt } from '../../../test/support/market/fill-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Reply, sendJson } from '../../../test/support/platform/wire-server.ts';
import { readProviderStates } from '../../platform/index.ts';

const COUNT = 64;
const SCENE = { session: '2024-03-27', lastSession: '2024-03-28', symbols: COUNT, sessions: 5, maxSymbols: COUNT };
const MAX_REQUESTS = 100;

for (const i of [0, COUNT - 1]) {
  const invalid = symbolAt(i);
  forEachDatabase(`one invalid symbol (${invalid}) does not open the breaker`, FILL_OPTIONS, async (fixture) => {
    await using scene = await openFillScene(fixture, 'alpaca', SCENE);
    const reply: Reply = (request, response, answer) => {
      const symbols = new URL(request.url ?? '/', 'http://loopback').searchParams.get('symbols')?.split(',') ?? [];
      const bars = { [invalid]: 'none' };
      if (symbols.includes(invalid)) sendJson({ bars, next_page_token: null })(request, response, answer);
      else answer();
    };
    scene.server.script.push(...Array<Reply>(MAX_REQUESTS).fill(reply));
    await scene.fill();
    const [state] = await readProviderStates(fixture.database, () => scene.context.clock.now().getTime());
    assert.partialDeepStrictEqual(state, { state: 'closed', lastFault: 'MALFORMED' });
    for (let j = 0; j < COUNT; j++) {
      assert.equal((await scene.readCloses(symbolAt(j))).length, j === i ? 0 : SCENE.sessions, symbolAt(j));
    }
  });
}
